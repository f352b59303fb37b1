#!/bin/sh
# Does what Tomcat's script of this name does, with Margay: serves a CATALINA_BASE as it stands.
#
#   catalina.sh run            in the foreground
#   catalina.sh start          in the background; output goes to CATALINA_OUT
#   catalina.sh stop [N] [-force]
#                              ends it, waits up to N seconds (5), then kills it with -force
#   catalina.sh configtest     reads the files without serving: margay check
#   catalina.sh version
#
#   CATALINA_BASE  the folder with conf/server.xml; otherwise CATALINA_HOME
#   CATALINA_HOME  otherwise the folder above this script; its bin/setenv.sh counts where the base
#                  has none
#   CATALINA_PID   a file for the process id; stop waits and kills only with it
#   CATALINA_OUT   where output goes after start; otherwise CATALINA_BASE/logs/catalina.out
#   CATALINA_OPTS  options of the JVM that serves
#   JAVA_OPTS      options of every JVM
#   CATALINA_TMPDIR, JAVA_HOME, JRE_HOME, UMASK, JPDA_ADDRESS as with Tomcat
#
# The variables may be set in CATALINA_BASE/bin/setenv.sh, which is run.

self=$0
while [ -L "$self" ]; do
    link=$(readlink "$self")
    case $link in
        /*) self=$link ;;
        *) self=$(dirname -- "$self")/$link ;;
    esac
done
root=$(CDPATH='' cd -- "$(dirname -- "$self")/.." && pwd -P) || exit 1

[ -n "${CATALINA_HOME:-}" ] || CATALINA_HOME=$root
[ -n "${CATALINA_BASE:-}" ] || CATALINA_BASE=$CATALINA_HOME
if [ -r "$CATALINA_BASE/bin/setenv.sh" ]; then
    . "$CATALINA_BASE/bin/setenv.sh"
    MARGAY_SETENV=run # So that nobody is told that it is not.
    export MARGAY_SETENV
elif [ -r "$CATALINA_HOME/bin/setenv.sh" ]; then
    . "$CATALINA_HOME/bin/setenv.sh"
fi
[ -n "${CATALINA_OUT:-}" ] || CATALINA_OUT=$CATALINA_BASE/logs/catalina.out
pid_file=${CATALINA_PID:-}

fail() {
    echo "catalina.sh: $*" >&2
    exit 1
}

# Whether a process has the id that the file names.
is_running() {
    [ -s "$pid_file" ] && kill -0 "$(cat "$pid_file")" 2>/dev/null
}

# A file that may not be deleted, as in a folder of root's, is emptied.
remove_pid() {
    rm -f "$pid_file" 2>/dev/null || : >"$pid_file"
}

# What ./margay is to find. JAVA_HOME may be that of the Tomcat before, and too old: then another is
# looked for.
prepare() {
    [ -n "${JAVA_HOME:-}" ] || JAVA_HOME=${JRE_HOME:-}
    export JAVA_HOME CATALINA_BASE CATALINA_HOME
    [ -z "$pid_file" ] || export CATALINA_PID
    options=${JAVA_OPTS:-}
    if [ "$1" = server ]; then
        umask "${UMASK:-0027}"
        options="$options ${CATALINA_OPTS:-}"
        [ -z "$debug" ] ||
            options="$options -agentlib:jdwp=transport=dt_socket,server=y,suspend=${JPDA_SUSPEND:-n},address=${JPDA_ADDRESS:-localhost:8000}"
        tmp=${CATALINA_TMPDIR:-$CATALINA_BASE/temp}
        [ ! -d "$tmp" ] || case $tmp in
            *[[:space:]]*) ;; # Options are split at blanks; the system's folder serves as well.
            *) options="$options -Djava.io.tmpdir=$tmp" ;;
        esac
    fi
    MARGAY_JAVA_OPTS="$options ${MARGAY_JAVA_OPTS:-}"
    export MARGAY_JAVA_OPTS
}

start() {
    if [ -n "$pid_file" ]; then
        ! is_running || fail "a server is running already: process $(cat "$pid_file") of $pid_file"
        : >"$pid_file" || fail "$pid_file cannot be written"
    fi
    mkdir -p "$(dirname -- "$CATALINA_OUT")" && touch "$CATALINA_OUT" ||
        fail "$CATALINA_OUT cannot be written"
    prepare server
    # Neither the end of this shell nor that of its terminal ends the server.
    nohup "$root/margay" tomcat "$CATALINA_BASE" "$@" >>"$CATALINA_OUT" 2>&1 </dev/null &
    [ -z "$pid_file" ] || echo $! >"$pid_file"
    echo "Margay started: process $!, output in $CATALINA_OUT"
}

stop() {
    seconds=5
    force=
    case ${1:-} in
        '' | -*) ;;
        *[!0-9]*) fail "stop: $1 is not a number of seconds" ;;
        *) seconds=$1; shift ;;
    esac
    [ "${1:-}" != -force ] || force=1
    if [ -z "$pid_file" ]; then
        [ -z "$force" ] || fail "-force needs CATALINA_PID"
        # Found by its work folder; waits for the end.
        prepare client
        exec "$root/margay" stop --work "$CATALINA_BASE/work/margay"
    fi
    [ -s "$pid_file" ] || fail "$pid_file is missing or empty: is the server running?"
    pid=$(cat "$pid_file")
    if ! kill -TERM "$pid" 2>/dev/null; then
        remove_pid
        fail "there is no process $pid, which $pid_file names; the file was removed"
    fi
    while is_running && [ "$seconds" -gt 0 ]; do
        sleep 1
        seconds=$((seconds - 1))
    done
    if is_running; then
        [ -n "$force" ] || fail "process $pid has not ended yet; it finishes the requests that it has"
        kill -KILL "$pid"
        seconds=5
        while is_running && [ "$seconds" -gt 0 ]; do
            sleep 1
            seconds=$((seconds - 1))
        done
        ! is_running || fail "process $pid cannot be killed"
        echo "Margay was killed"
    else
        echo "Margay stopped"
    fi
    remove_pid
}

debug=
if [ "${1:-}" = jpda ]; then
    debug=1
    shift
elif [ "${1:-}" = debug ]; then
    fail "debug: jdb is not started; use jpda run, and connect a debugger"
fi
command=${1:-}
[ $# -eq 0 ] || shift
case $command in
    run)
        prepare server
        [ -z "$pid_file" ] || echo $$ >"$pid_file"
        exec "$root/margay" tomcat "$CATALINA_BASE" "$@"
        ;;
    start) start "$@" ;;
    stop) stop "$@" ;;
    configtest)
        prepare client
        exec "$root/margay" check "$CATALINA_BASE" "$@"
        ;;
    version)
        prepare client
        exec "$root/margay" --version
        ;;
    *)
        echo "Usage: catalina.sh [jpda] run|start|stop [N] [-force]|configtest|version" >&2
        exit 1
        ;;
esac
