// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/load_job.h"

#include "sim/sim.h"

void load_stamp(const struct job *job, const struct aio_iocb *iocb,
		enum load_stamp stamp)
{
	const struct job_unit *u = container_of(iocb, struct job_unit, iocb);

	if (!job->config->stamp)
		return;
	sim_sync();
	job->config->stamp(job->config->arg, job->index,
			   (uint32_t)(u - job->unit), stamp);
}

void load_stamp_queued(const struct job *job, enum load_stamp stamp)
{
	for (unsigned int i = 0; i < job->queued_nr; i++)
		load_stamp(job, job->queued[i], stamp);
}
