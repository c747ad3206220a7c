#!/usr/bin/env bash
# Builds and runs this package as somebody outside would, with the tool's plugins, and one that the
# tool makes, by folder and by URL; `make outside`.
set -euo pipefail
cd "$(dirname "$0")"

readonly waggle=${WAGGLE:-../../.build/debug/waggle} start_timeout_seconds=60
# The tool's own settings are given here, whatever the shell that this runs in has.
for name in "${!WAGGLE_@}"; do unset "$name"; done

# Beside what the repository builds, so that nothing is left among its sources. All packages are
# built there, one after the other, since most of the time goes into what they have in common.
# Nobody debugs them.
readonly built=../../.build/outside
swift_package() {
    swift "$1" --scratch-path $built -debug-info-format none "${@:2}" 2>&1
}

# A plan is taken as it is, also if it is of another package.
forget_plan() {
    rm -f $built/{debug,plugin-tools}.yaml $built/debug/{,plugin-tools-}description.json
}

work=$(mktemp -d)
server=''
clean_up() {
    # It writes to the folder until it has ended.
    [[ -z $server ]] || kill -TERM "$server" 2>/dev/null || true
    [[ -z $server ]] || wait "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

fail() {
    printf 'outside: %s\n' "$1" >&2
    exit 1
}

echo 'outside: the command writes models for git'
forget_plan
report=$(swift_package package --allow-writing-to-package-directory waggle-models \
    --target Kept | tee >(cat >&2) | tail -1)
[[ $report == '0 written, 2 unchanged in '* ]] ||
    fail 'Sources/Kept/Models was not what the command writes: look at the difference, commit it'

echo 'outside: a build gets models from the plugin'
swift_package build --product Shop | grep -v '^\[' || fail 'Shop does not build'
$built/debug/Shop | diff - expected.txt || fail 'Shop says something else'

echo 'outside: nothing of the server, of the tool or of the compiler was built for Shop'
if [[ $(uname) == Linux ]]; then
    # The modules of the plugin are compiled separately, with the ending '-tool'. A run before this
    # one left the app of the tutorial.
    find $built/debug/ -path "$built/debug/*.build/*.o" |
        sed -E 's|.*/debug/([^/]*)\.build/.*|\1|' |
        grep -Ev -e '-tool$' -e '^(Films|Notes|PermissionsApp)' | sort -u |
        diff - expected-modules.txt ||
        fail 'other modules were built than an app needs'
    libraries=$(ldd $built/debug/Shop)
    ! grep libxml2 <<<"$libraries" || fail 'Shop needs libxml2'
fi

echo 'outside: a definition that is not sound stops the build at its line'
if swift_package build --target Mistaken >"$work/mistaken.txt"; then
    fail 'Mistaken builds'
fi
grep "/Mistaken/application.xml:11:34: error: 'type' cannot be 'TEX'" \
    "$work/mistaken.txt" || fail 'the build does not name the line'

echo 'outside: a new package builds as it was made, without a warning, and its tests pass'
"$waggle" new "$work/Films" --definition ../../Definitions/Permissions/application.xml
swift format lint --strict --recursive --configuration ../../.swift-format "$work/Films" ||
    fail 'what was made is not well formatted'
readonly films=$work/Films
# So that it has the same of what both need.
cp Package.resolved "$films"
forget_plan
swift_package build --package-path "$films" --build-tests >"$work/build.txt" || {
    cat "$work/build.txt"
    fail 'Films does not build'
}
! grep "/Films/[ST].*warning:" "$work/build.txt" || fail 'Films builds with warnings'
swift_package test --package-path "$films" --skip-build | grep 'Test run with' ||
    fail 'the tests of Films do not pass'

echo 'outside: app, tests and plugin share the build, so that the library is compiled once'
swift_package build --package-path "$films" --product Films >"$work/again.txt" ||
    fail 'Films does not build again'
swift_package test --package-path "$films" >>"$work/again.txt" || fail 'its tests fail now'
# SwiftPM plans tools and products apart, and both own the object of the texts that C embeds, so
# each of them compiles it again. No Swift module follows.
! grep -E '(Compiling|Emitting module) ' "$work/again.txt" |
    grep -vE ' (plugin|Films|EmbeddedTexts)' ||
    fail 'the library was compiled again'

echo 'outside: its app signs in, edits and syncs with a server'
readonly definition=$films/Sources/FilmsApp/application.xml place=$work/films.sqlite
"$waggle" deploy "$definition" --database "$place"
for login in anna ben; do
    "$waggle" user add "$login" --group users --password-stdin --database "$place" \
        <<<"secret of $login"
done
exec {lines}< <(exec "$waggle" serve "$definition" --database "$place" --port 0 2>"$work/log")
server=$!
read -r -t "$start_timeout_seconds" line <&"$lines" || fail "no server: $(<"$work/log")"

# The app as $1 uses it, on a device of their own.
films() {
    WAGGLE_SERVER=${line#listening on } WAGGLE_LOGIN=$1 WAGGLE_PASSWORD="secret of $1" \
        WAGGLE_FOLDER=$work/device-of-$1 $built/debug/Films "${@:2}"
}

# Guids differ each time.
{
    films anna add PermissionsEntity title=Solaris director=Andrei Tarkovsky
    films anna sync
    films ben sync
    films ben list PermissionsEntity
    guid=$(films ben list PermissionsEntity | cut -c 1-8)
    films ben change PermissionsEntity "$guid" title=Solyaris
    films ben sync
    films anna sync
    films anna list PermissionsEntity
    films anna remove PermissionsEntity "$guid"
    films anna sync
    films ben sync
    films ben list PermissionsEntity
} | sed -E 's/^[0-9a-f]{8} /GUID /' >"$work/said.txt"
diff "$work/said.txt" expected-films.txt || fail 'Films says something else'

echo 'outside: the tutorial, from an empty folder'
forget_plan
./tutorial.py --waggle "$waggle" --build $built
echo 'outside: the page Start here, and the README.md of the package that it makes'
forget_plan
./tutorial.py --start --waggle "$waggle" --build $built

echo 'outside: a package that names this repository by URL and version gets library and plugins'
# The committed files, as others get them.
git clone --quiet --bare --no-tags ../.. "$work/waggle.git"
git -C "$work/waggle.git" tag 0.1.0 HEAD
readonly named=$work/FilmsByURL
"$waggle" new "$named" --definition ../../Definitions/Permissions/application.xml \
    --package-url "file://$work/waggle.git" --package-version 0.1.0
cp Package.resolved "$named"
# SwiftPM compiles it with other options than a package that is named by folder. One module shows
# that ours go together with them. The tool of the plugin is left out: it takes a minute.
sed -i.whole 's/plugins: \[.*\]),/plugins: []),/' "$named/Package.swift"
forget_plan
# Nobody needs later what is fetched now.
swift_package build --package-path "$named" --disable-dependency-cache --target JSON \
    >"$work/named.txt" || {
    cat "$work/named.txt"
    fail 'FilmsByURL does not build'
}
mv "$named/Package.swift.whole" "$named/Package.swift"
swift_package package --package-path "$named" plugin --list >"$work/plugins.txt" || {
    cat "$work/plugins.txt"
    fail 'FilmsByURL does not find the plugin'
}
grep -q waggle-models "$work/plugins.txt" || fail "FilmsByURL has no command 'waggle-models'"
# Build systems that suppress warnings of packages named by URL refuse settings for them.
swift package --package-path $built/checkouts/waggle dump-package >"$work/manifest.json"
! grep -iE 'warning|unsafeFlags' "$work/manifest.json" ||
    fail 'the package has settings for warnings, which Xcode refuses'
echo 'outside: all good'
