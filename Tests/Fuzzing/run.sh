#!/usr/bin/env bash
# Builds the compiler with the instruments of libFuzzer and of the address sanitizer, and feeds it
# documents until one of them breaks a promise, crashes it, or takes too long; `make fuzz`.
#
#   run.sh -runs=1000000        so many documents; other options of libFuzzer may follow
#   run.sh -max_total_time=60   so many seconds
#   run.sh FILE…                these documents once
#
# What it learns stays in .build/fuzz/corpus for the next time.
set -euo pipefail
cd "$(dirname "$0")/../.."

# What is looked into, in the order of imports, and what only takes part.
rooms=(DefinitionModel DefinitionCompiler)
others=(Sources/Records Sources/SyncProtocol Tests/TestKit)
# Modules of swift-crypto, as the build of the tool leaves them.
crypto=(Crypto CryptoBoringWrapper CCryptoBoringSSL CCryptoBoringSSLShims CXKCP CXKCPShims)

folder=.build/fuzz
fuzzer=$folder/fuzzer
fixtures=Tests/DefinitionCompilerTests/Fixtures

main() {
    is_current || build
    if [[ -f ${1-} ]]; then
        "$fuzzer" "$@"
    else
        gather_seeds
        fuzz "$@"
    fi
}

is_current() {
    [[ -x $fuzzer ]] || return
    local newer
    newer=$(find "${rooms[@]/#/Sources/}" "${others[@]}" Tests/Fuzzing -name '*.swift' \
        -newer "$fuzzer" -print -quit)
    [[ -z $newer ]]
}

build() {
    local built objects flags
    built=$(swift build --show-bin-path)
    mapfile -t objects < <(
        printf '%s\n' "${crypto[@]}" | xargs -I{} find "$built/{}.build" -name '*.o')
    flags=(-O -wmo -parse-as-library -swift-version 6 -package-name waggle
        -enable-upcoming-feature ExistentialAny
        -enable-upcoming-feature InternalImportsByDefault
        -enable-upcoming-feature MemberImportVisibility
        -sanitize=address -use-ld=lld -I "$folder" -I "$built/Modules"
        -Xcc "-fmodule-map-file=Sources/CLibXML2/module.modulemap"
        -Xcc "$(pkg-config --cflags-only-I libxml-2.0 | xargs)")
    mkdir -p "$folder"
    local source
    for source in "${rooms[@]/#/Sources/}"; do
        compile "$source" -sanitize=fuzzer
    done
    for source in "${others[@]}"; do
        compile "$source"
    done
    swiftc "${flags[@]}" -sanitize=fuzzer -module-name Fuzzing Tests/Fuzzing/FuzzTarget.swift \
        -o "$fuzzer" "$folder"/*.o "${objects[@]}" -lxml2 -lstdc++
}

compile() {
    local source=$1 module embedded files
    shift
    module=$(basename "$source")
    # Without what is of no use here: the engine, and tests of it.
    mapfile -t files < <(grep -LE '^(package )?import SyncEngine' "$source"/*.swift)
    # What the build has made of resources, in modules that have some.
    mapfile -t embedded < <(find "$built/$module.build" -name embedded_resources.swift)
    echo "compiling $module for the fuzzer"
    swiftc "${flags[@]}" "$@" -module-name "$module" -emit-module \
        -c "${files[@]}" "${embedded[@]}" \
        -emit-module-path "$folder/$module.swiftmodule" -o "$folder/$module.o"
}

# Every document that there is; libFuzzer wants them in one folder.
gather_seeds() {
    mkdir -p "$folder/corpus" "$folder/seeds"
    local document
    for document in "$fixtures"/*/application.xml "$fixtures"/originals/*.xml \
        Definitions/*/application.xml; do
        cp "$document" "$folder/seeds/$(tr / - <<<"$document")"
    done
}

fuzz() {
    local started=$SECONDS
    # Shorter traces of each allocation are enough to find a mistake, and twice as fast.
    export ASAN_OPTIONS=malloc_context_size=4:quarantine_size_mb=32
    # Constants of Swift, made when they are first asked for, are kept for good.
    echo 'leak:_WZ$' >"$folder/leaks"
    export LSAN_OPTIONS=suppressions=$folder/leaks:print_suppressions=0
    "$fuzzer" -dict=Tests/Fuzzing/words.dict -max_len=65536 -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="$folder/" "$@" "$folder/corpus" "$folder/seeds" 2>&1 |
        sed -uE '/^(#[0-9]+)?\s+(NEW|REDUCE)/d; /^###### Recommended/,/^###### End/d' || {
        echo "the document that broke it is named above; once it is mended, make it a fixture" >&2
        exit 1
    }
    echo "no document broke the compiler, $((SECONDS - started)) s"
}

main "$@"
