#!/bin/sh
# Starts Margay in the background, as catalina.sh start does.

self=$0
while [ -L "$self" ]; do
    link=$(readlink "$self")
    case $link in
        /*) self=$link ;;
        *) self=$(dirname -- "$self")/$link ;;
    esac
done
exec "$(dirname -- "$self")/catalina.sh" start "$@"
