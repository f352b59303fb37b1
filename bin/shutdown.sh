#!/bin/sh
# Stops the Margay that startup.sh has started, as catalina.sh stop does.

self=$0
while [ -L "$self" ]; do
    link=$(readlink "$self")
    case $link in
        /*) self=$link ;;
        *) self=$(dirname -- "$self")/$link ;;
    esac
done
exec "$(dirname -- "$self")/catalina.sh" stop "$@"
