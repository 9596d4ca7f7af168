#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The program as a user meets it: exit codes and messages. Nothing is simulated.
set -u

vblksim=${VBLKSIM:?path of the program}
data=${VBLKSIM_SOURCE_DIR:-.}/tests/harness/data
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# claim NAME EXIT_CODE TEXT ARGUMENTS...: TEXT is in what the program says
claim() {
	local name=$1 code=$2 text=$3 got
	shift 3
	"$vblksim" "$@" >"$folder/out" 2>"$folder/err" </dev/null
	got=$?
	if [ "$got" != "$code" ]; then
		echo "$name: exit code $got, not $code"
		cat "$folder/err"
		failed=1
	elif ! cat "$folder/out" "$folder/err" | grep -qF -- "$text"; then
		echo "$name: '$text' is not in:"
		cat "$folder/out" "$folder/err"
		failed=1
	fi
}

# The last claim wrote nothing to stdout (stderr).
silent() {
	if [ -s "$folder/$2" ]; then
		echo "$1: wrote to std$2:"
		cat "$folder/$2"
		failed=1
	fi
}

claim version_is_printed 0 'vblksim ' --version
silent version_is_printed err
claim help_names_the_verbs 0 'vblksim run SCENARIO' --help
claim help_of_a_verb 0 '--variant NAME' run --help
claim help_names_build_driver 0 'vblksim build-driver SRC.c' --help
claim help_of_build_driver 0 '--profile NAME' build-driver --help
claim help_of_run_has_drivers 0 '--driver FILE' run --help
claim letters_are_checked_per_verb 2 "unknown option '-o'" run -o x
claim letters_may_need_a_value 2 '-o needs a value' build-driver a.c -o
claim help_scenario_lists_keys 0 'job.iodepth_batch_complete_max' help scenario
claim help_machine_lists_constants 0 'exit_kernel' help machine
claim help_machine_prints_sources 0 'made up for tests' \
	help machine "$data/machines/child.yaml"
claim no_arguments_is_an_error 2 'vblksim run'
silent no_arguments_is_an_error out
claim unknown_verb_suggests 2 "did you mean 'run'?" rin
claim unknown_option_suggests 2 "did you mean '--variant'?" \
	run --varaint=x "$data/runs.yaml"
claim missing_scenario_is_an_error 2 'no scenario given' run
claim missing_file_is_an_error 2 'cannot be read' run "$folder/none.yaml"
silent missing_file_is_an_error out
claim missing_variant_suggests 2 "did you mean 'quick'?" \
	run "$data/runs.yaml" --variant qick
claim missing_machine_names_places 2 'looked for ' \
	run "$data/basic.yaml" --set machine=nosuch
claim wrong_set_has_a_place 2 "--set:1:8: job.bs: 'x' is not a size" \
	run "$data/basic.yaml" --set job.bs=x

printf 'machine: zero\njob:\n  iodepht: 4\n  rw: randraed\n' >"$folder/two.yaml"
claim errors_have_places 2 "two.yaml:3:3: unknown key 'job.iodepht'; did you mean 'job.iodepth'?" \
	run "$folder/two.yaml"
claim all_errors_are_shown 2 "two.yaml:4:7: job.rw: 'randraed'" \
	run "$folder/two.yaml"

printf 'costs: {cpu: {access: {value: -1, unit: ns, source: x}}}\n' >"$folder/bad.yaml"
claim profile_errors_have_places 2 'bad.yaml:1:31: value: -1 is negative' \
	help machine "$folder/bad.yaml"

exit $failed
