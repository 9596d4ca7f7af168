// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/scenario_event.h"

#include <string.h>

#include "model/harness/arena.h"
#include "model/harness/quantity.h"
#include "model/harness/suggest.h"

/* What follows a verb. */
enum event_form {
	FORM_NONE,
	FORM_SIZE,	/* one size */
	FORM_TIME,	/* one time */
	FORM_RANGE,	/* offset, length */
	FORM_ATTRIBUTE,	/* NAME or NAME=VALUE */
	FORM_ZONE,	/* a word of its own table, and an offset */
};

struct event_verb {
	const char *name;
	enum event_form form;
	enum scenario_event_kind kind;
	enum control_verb verb;
};

static const struct event_verb event_verbs[] = {
	{ "resize", FORM_SIZE, SCENARIO_EVENT_RESIZE, 0 },
	{ "pause", FORM_TIME, SCENARIO_EVENT_PAUSE, 0 },
	{ "unplug", FORM_NONE, SCENARIO_EVENT_UNPLUG, 0 },
	{ "flush", FORM_NONE, SCENARIO_EVENT_GUEST, CONTROL_FLUSH },
	{ "discard", FORM_RANGE, SCENARIO_EVENT_GUEST, CONTROL_DISCARD },
	{ "zeroout", FORM_RANGE, SCENARIO_EVENT_GUEST, CONTROL_ZEROOUT },
	{ "secure-erase", FORM_RANGE, SCENARIO_EVENT_GUEST,
	  CONTROL_SECURE_ERASE },
	{ "sysfs", FORM_ATTRIBUTE, SCENARIO_EVENT_GUEST, CONTROL_SYSFS_SHOW },
	{ "suspend", FORM_NONE, SCENARIO_EVENT_GUEST, CONTROL_SUSPEND },
	{ "resume", FORM_NONE, SCENARIO_EVENT_GUEST, CONTROL_RESUME },
	{ "remove", FORM_NONE, SCENARIO_EVENT_GUEST, CONTROL_REMOVE },
	{ "rmmod", FORM_NONE, SCENARIO_EVENT_GUEST, CONTROL_RMMOD },
	{ "zone", FORM_ZONE, SCENARIO_EVENT_GUEST, CONTROL_ZONE_REPORT },
};

static const struct event_verb zone_verbs[] = {
	{ "report", FORM_NONE, SCENARIO_EVENT_GUEST, CONTROL_ZONE_REPORT },
	{ "open", FORM_SIZE, SCENARIO_EVENT_GUEST, CONTROL_ZONE_OPEN },
	{ "close", FORM_SIZE, SCENARIO_EVENT_GUEST, CONTROL_ZONE_CLOSE },
	{ "finish", FORM_SIZE, SCENARIO_EVENT_GUEST, CONTROL_ZONE_FINISH },
	{ "reset", FORM_SIZE, SCENARIO_EVENT_GUEST, CONTROL_ZONE_RESET },
	{ "reset-all", FORM_NONE, SCENARIO_EVENT_GUEST,
	  CONTROL_ZONE_RESET_ALL },
	{ "append", FORM_SIZE, SCENARIO_EVENT_GUEST, CONTROL_ZONE_APPEND },
};

#define NR(table) (sizeof(table) / sizeof((table)[0]))

/* @rest: what has not been read yet; @why gets the first complaint. */
struct event_reader {
	char *rest;
	char *why;
	size_t why_bytes;
};

static bool event_refuse(struct event_reader *r, const char *text,
			 const char *needed)
{
	snprintf(r->why, r->why_bytes, "event: '%.64s' is not %s", text,
		 needed);
	return false;
}

static char *event_word(struct event_reader *r)
{
	char *word = r->rest + strspn(r->rest, " \t");
	size_t len = strcspn(word, " \t");

	r->rest = word + len;
	if (*r->rest)
		*r->rest++ = '\0';
	return word;
}

static bool event_size(struct event_reader *r, uint64_t *bytes)
{
	const char *word = event_word(r);

	if (!*word)
		return event_refuse(r, "", "a size; one is missing");
	if (quantity_size(word, bytes) || *bytes % 512)
		return event_refuse(r, word, "a size in multiples of 512");
	return true;
}

static const struct event_verb *event_find(struct event_reader *r,
					   const struct event_verb *table,
					   size_t nr)
{
	const char *word = event_word(r);
	struct suggest near;

	suggest_init(&near, word);
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(table[i].name, word))
			return &table[i];
		suggest_offer(&near, table[i].name);
	}
	event_refuse(r, word, "something that can happen");
	if (suggest_result(&near))
		snprintf(r->why + strlen(r->why),
			 r->why_bytes - strlen(r->why),
			 "; did you mean '%s'?", suggest_result(&near));
	return NULL;
}

/* NAME reads, NAME=VALUE writes; the value may have blanks in it. */
static bool event_attribute(struct event_reader *r,
			    struct control_action *action)
{
	char *name = r->rest + strspn(r->rest, " \t");
	char *equals = strchr(name, '=');

	r->rest = name + strlen(name);
	if (!*name || equals == name)
		return event_refuse(r, name, "an attribute's name");
	if (equals) {
		*equals = '\0';
		action->value = equals + 1;
		action->verb = CONTROL_SYSFS_STORE;
	}
	action->name = name;
	return true;
}

static bool event_arguments(struct event_reader *r, enum event_form form,
			    struct scenario_event *event)
{
	struct control_action *action = &event->action;
	const char *word;

	switch (form) {
	case FORM_SIZE:
		return event_size(r, event->kind == SCENARIO_EVENT_RESIZE ?
				     &action->bytes : &action->offset);
	case FORM_TIME:
		word = event_word(r);
		if (!quantity_time(word, &event->duration_ps))
			return true;
		return event_refuse(r, word, "a time");
	case FORM_RANGE:
		return event_size(r, &action->offset) &&
		       event_size(r, &action->bytes);
	case FORM_ATTRIBUTE:
		return event_attribute(r, action);
	default:
		return true;
	}
}

static bool event_read(struct event_reader *r, struct scenario_event *event)
{
	const char *time = event_word(r);
	const struct event_verb *verb;

	if (!*time || quantity_time(time, &event->action.at_ps))
		return event_refuse(r, time, "a time (20ms VERB ...)");
	verb = event_find(r, event_verbs, NR(event_verbs));
	if (verb && verb->form == FORM_ZONE)
		verb = event_find(r, zone_verbs, NR(zone_verbs));
	if (!verb)
		return false;
	event->kind = verb->kind;
	event->action.verb = verb->verb;
	if (!event_arguments(r, verb->form, event))
		return false;
	r->rest += strspn(r->rest, " \t");
	return !*r->rest || event_refuse(r, r->rest, "needed here");
}

bool scenario_event_parse(const char *text, struct scenario_event *event,
			  struct arena *a, char *why, size_t why_bytes)
{
	struct event_reader r = {
		.rest = arena_string(a, text),
		.why = why,
		.why_bytes = why_bytes,
	};

	memset(event, 0, sizeof(*event));
	event->text = arena_string(a, text);
	return event_read(&r, event);
}

void scenario_event_help(FILE *out)
{
	fputs("An event is 'TIME VERB [ARGUMENTS]', the time from the start of the jobs:\n"
	      "  resize SIZE                        the host changes the capacity\n"
	      "  pause TIME                         the device does nothing for so long\n"
	      "  unplug                             the device is gone at once\n"
	      "  flush\n"
	      "  discard|zeroout|secure-erase OFFSET LENGTH\n"
	      "  sysfs NAME, sysfs NAME=VALUE       read or write an attribute of the disk\n"
	      "  suspend, resume, remove, rmmod\n"
	      "  zone report, zone reset-all\n"
	      "  zone open|close|finish|reset|append OFFSET\n", out);
}
