#!/usr/bin/env bash
# Two builds of the program side by side: the same words to both, over small scenes of all kinds,
# and every file that they write and every answer that they give compared byte for byte; pictures
# by OpenGL too, which on one machine are the same. Times are masked. A checkpoint may be packed in
# another way: there it counts what it holds.
#
#   tests/compare_programs.sh OLD NEW [FOLDER]     # FOLDER keeps what they wrote
#
# Ends with 0 where all is the same, 1 where not, 2 where it was called wrongly.
set -euo pipefail

if (($# < 2 || $# > 3)) || [[ ! -x $1 || ! -x $2 ]]; then
  echo "usage: tests/compare_programs.sh OLD NEW [FOLDER], where OLD and NEW are programs" >&2
  exit 2
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
old=$(realpath "$1") new=$(realpath "$2")
folder=${3:-$(mktemp -d)}
mkdir -p "$folder"
folder=$(realpath "$folder")
[[ -n ${3:-} ]] || trap 'rm -rf "$folder"' EXIT

# Which numbers are times is known by the key: "seconds", or an object of that name.
mask_times() {
  awk '
    function indent(line) { match(line, /[^ ]/); return RSTART }
    /"seconds": \{/ { depth = indent($0); inside = 1 }
    inside || /"seconds": / { if (!sub(/: [-+.e0-9]+,$/, ": 0,")) sub(/: [-+.e0-9]+$/, ": 0") }
    inside && /^ *\},?$/ && indent($0) == depth { inside = 0 }
    { print }' "$1" >"$1.masked" && mv "$1.masked" "$1"
}

# say WORDS…: one call; what it says, and how it ends, goes into answers/.
say() {
  local name
  name=$(printf '%03d-%s' "$((++calls))" "$1-$(basename "${2:-}")")
  "$program" "$1" --json "${@:2}" >"answers/$name.json" 2>"answers/$name.err" </dev/null &&
    echo 0 >>"answers/$name.err" || echo "$?" >>"answers/$name.err"
}

words_without_files() {
  say params
  say fields
  say devices
  say info nothing.tif
  say run kept/heights-four.toml --set water.reign=3
  say generate mountain -o a.tif --size 0x3
}

rasters() {
  local kind
  for kind in fbm ridged mountain steps caldera; do
    say generate "$kind" -o "land/$kind.tif" --size 64x48 --seed 3 --device cpu
  done
  say erode land/mountain.tif -o eroded.tif --steps 60 --relief relief.png --masks masks \
    --engine unreal --device cpu
  say erode land/fbm.tif -o eroded.npy --preset canyon --steps 60 --engine godot --device cpu
  say erode "$root/tests/data/jacksboro_coast.tif" -o coast.tif --steps 20 --device cpu
  say info eroded.tif --hydrology
  say compare land/fbm.tif eroded.npy --cell 10
  local ending
  for ending in glb obj ply stl; do say mesh eroded.tif -o "mesh/land.$ending"; done
  say mesh eroded.tif -o mesh/few.glb --target-triangles 500 --colour slope
  say mesh eroded.tif -o mesh/level.glb --levels 3
  say mesh eroded.tif -o mesh/near.ply --view 100,-50
  pictures eroded.tif eroded
  say render mesh/land.glb -o pictures/mesh.png --pixels 200x125
}

# All views that any kind has; one that a kind has not is refused in the same line by both.
pictures() {
  local view
  for view in beauty wireframe relief section field:slope field:height field:water; do
    say render "$1" -o "pictures/$2-${view#field:}.png" --pixels 200x125 --view "$view"
  done
}

# The scenes with kept checkpoints: from the start, from the checkpoint, and what can be made of it.
kept_scenes() {
  local checkpoint name step
  for checkpoint in kept/*.scree; do
    name=$(basename "${checkpoint%-*}") step=${checkpoint##*-}
    step=${step%.scree}
    say run "kept/$name.toml" --out "runs/$name" --checkpoint-every "$step" --device cpu
    mkdir -p "resumed/$name"
    cp "$checkpoint" "resumed/$name/checkpoint-$step.scree"
    say run "kept/$name.toml" --out "resumed/$name" --resume --device cpu
    say info "$checkpoint"
    say info "runs/$name"
    say info "kept/$name.toml"
    say mesh "$checkpoint" -o "mesh/$name.glb"
    pictures "$checkpoint" "$name"
    if [[ $opencl == yes ]]; then
      say run "kept/$name.toml" --out "opencl/$name" --device opencl
    fi
  done
}

examples() {
  local scene name
  for scene in "$root"/examples/*.toml; do
    name=$(basename "$scene" .toml)
    say run "$scene" --out "examples/$name" --size 48x48 --steps 60 --device cpu
  done
  for scene in "$root"/examples/layers/*.toml; do
    name=layers-$(basename "$scene" .toml)
    say run "$scene" --out "examples/$name" --size 24x24 --steps 12 --device cpu
  done
  for scene in "$root"/examples/voxels/*.toml; do
    name=voxels-$(basename "$scene" .toml)
    say run "$scene" --out "examples/$name" --size 32x24x20 --steps 6 --device cpu
  done
  for scene in "$root"/tests/data/pictures/*.toml; do
    name=$(basename "$scene" .toml)
    say render "$scene" -o "pictures/scene-$name.png" --pixels 200x125 --device cpu
  done
}

# Everything, by one program, in a folder of its own.
run_all() {
  program=$1 calls=0
  rm -rf "$2"
  mkdir -p "$2/answers" "$2/land" "$2/mesh" "$2/pictures"
  cd "$2"
  cp -r "$root/tests/data/checkpoints" kept
  opencl=no
  if "$program" devices --json | grep -q '"opencl:'; then opencl=yes; fi
  words_without_files
  rasters
  kept_scenes
  examples
  local file
  while IFS= read -r file; do mask_times "$file"; done < <(
    find . -name report.json -o -path './answers/*.json')
}

(run_all "$old" "$folder/old") &
(run_all "$new" "$folder/new")
wait "$!"

cd "$folder"
different=0 same=0 repacked=0
while IFS= read -r file; do
  if cmp -s "old/$file" "new/$file"; then
    same=$((same + 1))
  elif [[ $file == *.scree && -e old/$file && -e new/$file ]] &&
    "$new" compare "old/$file" "new/$file" >/dev/null 2>&1; then
    repacked=$((repacked + 1))
  else
    different=$((different + 1))
    echo "different: $file"
  fi
done < <({ cd old && find . -type f && cd ../new && find . -type f; } | sort -u)
echo "$same files are the same, $different are not; $repacked checkpoints hold the same otherwise packed"
((same > 100)) || { echo "expected more files: the programs did not run" >&2; exit 1; }
((different == 0))
