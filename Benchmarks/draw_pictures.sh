#!/usr/bin/env bash
# Draws the sheets of this machine's /usr for the README.
#
#     Benchmarks/draw_pictures.sh GEOMAPPER [FOLDER]
#
# FOLDER is Benchmarks/pictures by default.
set -euo pipefail
geomapper=$1
pictures=${2:-$(cd "$(dirname "$0")" && pwd)/pictures}

draw() { # draw FILE OPTION…: status 1 means unreadable entries in /usr
  "$geomapper" draw -q -o "$pictures/$1" --sheet 360x225 "${@:2}" /usr || [ $? = 1 ]
  echo "$pictures/$1: $(wc -c <"$pictures/$1") bytes"
}

draw usr.svg
draw usr-share.svg --folder usr/share
