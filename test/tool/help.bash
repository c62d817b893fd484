#!/usr/bin/env bash
# Help, version and man page: every command has examples and exit codes, and the man page knows every option.
source "$(dirname "$0")/lib.bash"

run 0 --version
out_has "boxwood $VERSION"
run 0 --help
out_has 'usage: boxwood'
out_has 'examples:'
out_has 'exit codes:'
cp out all
run 0 help
cmp -s out all || fail 'help and --help differ'
run 0 -h
run 2
err_has 'no command'
run 2 nothing
err_has 'no command "nothing"'
run 2 help nothing
out_empty

man=$SOURCE/tools/boxwood.1
grep -q "boxwood $VERSION" "$man" || fail 'the man page is of another version'
plain=$(sed 's/\\-/-/g' "$man")
commands=$(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' all)
[ -n "$commands" ] || fail 'no command is listed'
for command in $commands; do
    run 0 "$command" --help
    out_has "usage: boxwood $command"
    out_has 'examples:'
    out_has "  boxwood $command"
    out_has 'exit codes: 0'
    grep -q "^\.SS $command\$" "$man" || fail "the man page has no section on $command"
    section=$(sed -n "/^\.SS $command\$/,/^\.S[SH] /p" <<<"$plain")$(sed -n '/^\.SH OPTIONS FOR/,/^\.SH POSES/p' <<<"$plain")
    options=$(sed -n '/^options:/,/^$/s/^  \(-o, \)*--\([a-z-]*\).*/\2/p' out)
    [ -n "$options" ] || fail "no option of $command is listed"
    for option in $options; do
        grep -q -- "--$option\b" <<<"$section" || fail "the man page does not name --$option under $command"
    done
    cp out one
    run 0 help "$command"
    cmp -s out one || fail "help $command and $command --help differ"
    run 0 "$command" some arguments --help
done
# Nothing in the man page that no command has.
for option in $(grep -o -- '--[a-z][a-z-]*' <<<"$plain" | sort -u); do
    known=no
    [ "$option" = --version ] && known=yes
    for command in $commands; do
        "$BOXWOOD" "$command" --help | grep -q -- "^  \(-o, \)*$option\b" && known=yes
    done
    [ $known = yes ] || fail "the man page names $option, which no command has"
done
finish
