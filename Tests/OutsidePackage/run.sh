#!/usr/bin/env bash
# Builds and runs this package as somebody outside would, with the tool's plugins; `make outside`.
set -euo pipefail
cd "$(dirname "$0")"

# Beside what the repository builds, so that nothing is left among its sources.
swift_package() { swift "$1" --scratch-path ../../.build/outside "${@:2}" 2>&1; }

fail() {
    printf 'outside: %s\n' "$1" >&2
    exit 1
}

echo 'outside: the command writes models for git'
report=$(swift_package package --allow-writing-to-package-directory waggle-models \
    --target Kept | tee /dev/stderr | tail -1)
[[ $report == '0 written, 2 unchanged in '* ]] ||
    fail 'Sources/Kept/Models was not what the command writes: look at the difference, commit it'

echo 'outside: a build gets models from the plugin'
swift_package build --product Shop | grep -v '^\[' || fail 'Shop does not build'
../../.build/outside/debug/Shop | diff - expected.txt || fail 'Shop says something else'

echo 'outside: a definition that is not sound stops the build at its line'
if swift_package build --target Mistaken >../../.build/outside/mistaken.txt; then
    fail 'Mistaken builds'
fi
grep "/Mistaken/application.xml:11:34: error: 'type' cannot be 'TEX'" \
    ../../.build/outside/mistaken.txt || fail 'the build does not name the line'
echo 'outside: all good'
