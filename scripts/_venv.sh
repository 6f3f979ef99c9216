# Sourced by the scripts beside it, with $here their folder. `need_venv LOCK...` sees to it that
# the checkout's .venv holds exactly what these locks name; when it does, that costs milliseconds.

root=${here%/scripts}
python=$root/.venv/bin/python

need_venv() {
    ready "$@" && return
    base=$(find_python) || exit
    "$base" -I "$here/_venv.py" "$@" </dev/null || exit
}

# .venv keeps a copy of each lock it was made from, and the path of the checkout it was made in.
ready() {
    [ -x "$python" ] && [ -r "$root/.venv/lib/checkout" ] || return
    IFS= read -r checkout <"$root/.venv/lib/checkout"
    [ "$checkout" = "$root" ] || return
    for lock; do
        cmp -s "$here/$lock" "$root/.venv/lib/$lock" || return
    done
}

find_python() {
    newest='import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))'
    found=
    for name in python3 python3.14 python3.13 python3.12 python3.11; do
        "$name" -c "$newest" || continue
        "$name" -c 'import ensurepip, venv' && echo "$name" && return
        found=$name
    done </dev/null 2>/dev/null
    if [ "$found" ]; then
        echo "sim42: $found lacks venv (on Debian and Ubuntu: apt install python3-venv)" >&2
    else
        echo "sim42: needs Python 3.11, 3.12, 3.13 or 3.14, as python3 or python3.x" >&2
    fi
    return 1
}
