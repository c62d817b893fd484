# What the tests of the command share. Sourced; needs BOXWOOD, CMAKE, SOURCE and VERSION from the environment.
set -u
: "${BOXWOOD:?the boxwood command}" "${CMAKE:?the cmake command}" "${SOURCE:?the source folder}" "${VERSION:?of boxwood}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
steps=0

fail() {
    failed=1
    printf 'FAILED: %s\n  last command: boxwood %s\n  exit code %s\n' "$*" "${last:-}" "${code:-}" >&2
    sed 's/^/  out: /' "$work/out" | head -n 20 >&2
    sed 's/^/  err: /' "$work/err" | head -n 20 >&2
}

# run CODE ARGS...: the command ends with that code; its output is in files out and err.
run() {
    local wanted=$1
    shift
    last=$*
    steps=$((steps + 1))
    "$BOXWOOD" "$@" >"$work/out" 2>"$work/err" </dev/null
    code=$?
    [ "$code" = "$wanted" ] || fail "expected exit code $wanted"
}
out_has() { grep -qF -- "$1" "$work/out" || fail "the output lacks: $1"; }
out_lacks() { ! grep -qF -- "$1" "$work/out" || fail "the output has: $1"; }
err_has() { grep -qF -- "$1" "$work/err" || fail "the errors lack: $1"; }
err_empty() { [ ! -s "$work/err" ] || fail "there should be no error"; }
out_empty() { [ ! -s "$work/out" ] || fail "there should be no output"; }

# Whether this build reads FBX, COLLADA and the like. needs_assimp: a test that has nothing to do without is skipped.
has_assimp() { ! "$BOXWOOD" --version | grep -q 'without.*assimp'; }
needs_assimp() {
    has_assimp && return
    echo 'skipped: this build is without assimp'
    exit 77
}

# json VALUE KEY...: the output is a JSON document in which the keys lead to the value. An array's or object's value is
# its length.
json() {
    local wanted=$1 got
    shift
    got=$(json_value "$@") || fail "JSON: $got"
    [ "$got" = "$wanted" ] || fail "JSON at $*: expected $wanted, not $got"
}

# json_lacks KEYS...: nothing stands there.
json_lacks() {
    local path
    path=$(IFS=';'; echo "$*")
    ! "$CMAKE" -DFILE="$work/out" "-DKEYS=$path" -P "$here/json.cmake" >/dev/null 2>&1 || fail "JSON has $*"
}
# json_value KEYS...: prints what stands there.
json_value() {
    local path
    path=$(IFS=';'; echo "$*")
    "$CMAKE" -DFILE="$work/out" "-DKEYS=$path" -P "$here/json.cmake" 2>&1
}

finish() {
    [ $failed = 0 ] && echo "$steps runs of the command, all as expected"
    exit $failed
}

# many_points N: a cloud of points at one place, as OBJ: every two of them are in contact.
many_points() { awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) print "v 1 2 3" }'; }

# interrupted SIGNAL CODE ARGS...: the command is long at work, gets the signal, prints something and ends with that
# code. Where it was still reading its files it is given more time.
interrupted() {
    local signal=$1 wanted=$2 seconds
    shift 2
    last=$*
    for seconds in 0.5 2 8 30; do
        steps=$((steps + 1))
        timeout --preserve-status -s "$signal" "$seconds" "$BOXWOOD" "$@" >"$work/out" 2>"$work/err" </dev/null
        code=$?
        [ ! -s "$work/out" ] || break
    done
    [ "$code" = "$wanted" ] || fail "expected exit code $wanted"
}

# disk_full ARGS...: the command may write only 1 KB to a file, and says so with exit code 2.
disk_full() {
    last=$*
    steps=$((steps + 1))
    (trap '' XFSZ && ulimit -f 1 && exec "$BOXWOOD" "$@") >"$work/out" 2>"$work/err" </dev/null
    code=$?
    [ "$code" = 2 ] || fail 'a full disk went unnoticed'
}

# A cube of side 1 at the origin, of six squares, as OBJ.
write_cube() {
    cat <<'END'
o cube
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
END
}
