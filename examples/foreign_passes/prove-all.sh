#!/bin/sh
# Proves each pass of an optimizer on each file of a folder.
#
#   prove-all.sh "mlir-opt --affine-loop-fusion" FOLDER [RESULTS]
#
# RESULTS (default: prove-results) gets a record for each file and, for each refutation, both modules and a script. The
# exit status is 1 where a pass is refuted, 2 where the tool fails on a file, else 0: what is undecided is counted.
set -u
opt=$1
folder=$2
results=${3:-prove-results}
mkdir -p "$results"
proved=0 refuted=0 failed=0 undecided=0
for file in "$folder"/*.mlir; do
    name=$(basename "$file" .mlir)
    tilewright prove --opt "$opt" --json --save "$results/$name" "$file" >"$results/$name.json" 2>"$results/$name.log"
    case $? in
    0) proved=$((proved + 1)) ;;
    3) undecided=$((undecided + 1)) ;;
    2)
        failed=$((failed + 1))
        cat "$results/$name.log"
        ;;
    *)
        refuted=$((refuted + 1))
        cat "$results/$name.log"
        ;;
    esac
done
echo "files: proved $proved, undecided $undecided, refuted $refuted, not run $failed"
[ "$refuted" -eq 0 ] || exit 1
[ "$failed" -eq 0 ] || exit 2
