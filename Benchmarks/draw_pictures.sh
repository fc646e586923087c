#!/usr/bin/env bash
# Draws the sheets that README shows, of this machine's /usr.
#
#     Benchmarks/draw_pictures.sh GEOMAPPER [FOLDER]
#
# They go to Benchmarks/pictures if FOLDER is not given.
set -euo pipefail
geomapper=$1
pictures=${2:-$(cd "$(dirname "$0")" && pwd)/pictures}

draw() { # draw FILE OPTION…: status 1 says that something in /usr could not be read
  "$geomapper" draw -q -o "$pictures/$1" --sheet 360x225 "${@:2}" /usr || [ $? = 1 ]
  echo "$pictures/$1: $(wc -c <"$pictures/$1") bytes"
}

draw usr.svg
draw usr-share.svg --folder usr/share
