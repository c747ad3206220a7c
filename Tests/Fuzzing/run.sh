#!/usr/bin/env bash
# Builds what it names with the instruments of libFuzzer and of the address sanitizer, and feeds it
# inputs until one of them breaks a promise, crashes it, or takes too long; `make fuzz`.
#
#   run.sh compiler -runs=1000000        so many documents; other options of libFuzzer may follow
#   run.sh uploads -max_total_time=60    archives and bodies, for so many seconds
#   run.sh uploads FILE…                 these inputs once
#   run.sh questions -runs=1000000       filters of clients of Azure Mobile
#   run.sh rows -runs=1000000            queries, versions and rows of clients of Azure Mobile
#   run.sh requests -runs=1000000        bodies and conditions of clients of Parse
#
# The inputs that it learns stay in .build/fuzz/…/corpus for the next time.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=${1-}
shift || true
folder=.build/fuzz/$target
fuzzer=$folder/fuzzer
# Targets share them: to compile them takes most of the time.
modules=.build/fuzz/modules

# The code that is watched, in the order of imports, as module=folders and files; the sources of the
# target itself; and the libraries that it is linked with.
case $target in
compiler)
    watched=(JSON=Sources/JSON DefinitionModel=Sources/DefinitionModel Hashing=Sources/Hashing
        Texts=Sources/Texts DefinitionCompiler=Sources/DefinitionCompiler
        AccessPolicy=Sources/AccessPolicy ChangeRules=Sources/ChangeRules
        SyncProtocol=Sources/SyncProtocol TestKit=Tests/TestKit)
    sources=(Tests/Fuzzing/compilerTarget.swift)
    libraries=(-lxml2 -lcrypto "$modules/EmbeddedTexts.o")
    ;;
uploads)
    # The part of the wire that reads bodies and lines needs neither the engine nor a server.
    wire=Sources/MobeelizerWire lines=Sources/MobeelizerWire/Lines
    watched=(JSON=Sources/JSON DefinitionModel=Sources/DefinitionModel
        AccessPolicy=Sources/AccessPolicy ChangeRules=Sources/ChangeRules
        SystemFiles=Sources/SystemFiles Archives=Sources/Archives
        MobeelizerWire="$wire/Multipart $lines/RecordLine.swift $lines/GivenValue+wire.swift")
    sources=(Tests/Fuzzing/uploadTarget.swift Tests/ArchivesTests/brokenArchiveInvariants.swift
        Tests/MobeelizerWireTests/{brokenBodyInvariants,brokenLineInvariants,ReadBody}.swift)
    libraries=(-lzip)
    ;;
questions | rows)
    # The part of the wire that reads requests needs neither the engine nor a server.
    wire=Sources/AzureWire
    watched=(JSON=Sources/JSON DefinitionModel=Sources/DefinitionModel
        AccessPolicy=Sources/AccessPolicy ChangeRules=Sources/ChangeRules
        ForeignValues=Sources/ForeignValues
        AzureWire="$wire/Dialects $wire/Questions $wire/Values")
    sources=("Tests/Fuzzing/${target%s}Target.swift")
    libraries=()
    ;;
requests)
    # The part of the wire that reads bodies needs neither the engine nor a server.
    wire=Sources/ParseWire
    watched=(JSON=Sources/JSON DefinitionModel=Sources/DefinitionModel
        AccessPolicy=Sources/AccessPolicy ChangeRules=Sources/ChangeRules
        SyncProtocol=Sources/SyncProtocol ForeignValues=Sources/ForeignValues
        ParseWire="$wire/Queries $wire/Requests $wire/Values $wire/Serving/ParseOperation.swift")
    sources=(Tests/Fuzzing/requestTarget.swift)
    libraries=()
    ;;
*)
    echo "run.sh: name what is to be fed:" \
        "'compiler', 'questions', 'requests', 'rows' or 'uploads'" >&2
    exit 2
    ;;
esac

main() {
    is_current || build
    if [[ -f ${1-} ]]; then
        "$fuzzer" "$@"
    else
        mkdir -p "$folder/corpus" "$folder/seeds"
        "gather_seeds_of_$target"
        fuzz "$@"
    fi
}

is_current() {
    [[ -x $fuzzer ]] || return
    local newer
    # shellcheck disable=SC2068 # a module may have several places
    newer=$(find ${watched[@]#*=} "${sources[@]}" Tests/Fuzzing/run.sh \
        \( -name '*.swift' -o -name run.sh \) -newer "$fuzzer" -print -quit)
    [[ -z $newer ]]
}

build() {
    local module flags header=Sources/EmbeddedTexts/include/EmbeddedTexts.h
    flags=(-O -wmo -enable-testing -parse-as-library -swift-version 6 -package-name waggle
        -enable-upcoming-feature ExistentialAny
        -enable-upcoming-feature InternalImportsByDefault
        -enable-upcoming-feature MemberImportVisibility
        -sanitize=address -sanitize=fuzzer -use-ld=lld -I "$modules"
        -Xcc "-fmodule-map-file=Sources/CLibXML2/module.modulemap"
        -Xcc "-fmodule-map-file=Sources/CZip/module.modulemap"
        -Xcc "-fmodule-map-file=Sources/CLibCrypto/module.modulemap"
        -Xcc "-fmodule-map-file=$modules/EmbeddedTexts.modulemap"
        -Xcc "$(pkg-config --cflags-only-I libxml-2.0 libzip libcrypto | xargs)")
    mkdir -p "$folder" "$modules"
    echo "module EmbeddedTexts { header \"$PWD/$header\" }" >"$modules/EmbeddedTexts.modulemap"
    clang -I "$(dirname "$header")" -c Sources/EmbeddedTexts/EmbeddedTexts.c \
        -o "$modules/EmbeddedTexts.o"
    local objects=()
    for module in "${watched[@]}"; do
        is_compiled "$module" || compile "$module"
        objects+=("$modules/${module%%=*}.o")
    done
    swiftc "${flags[@]}" -module-name Fuzzing "${sources[@]}" \
        -o "$fuzzer" "${objects[@]}" "${libraries[@]}"
}

# Since its sources changed, and since the module before it was compiled, which it may import.
is_compiled() {
    local object=$modules/${1%%=*}.o places
    read -ra places <<<"${1#*=}"
    [[ -f $object && ( ${#objects[@]} -eq 0 || ! ${objects[-1]} -nt $object ) ]] &&
        [[ -z $(find "${places[@]}" Tests/Fuzzing/run.sh -newer "$object" -print -quit) ]]
}

compile() {
    local module=${1%%=*} places files
    read -ra places <<<"${1#*=}"
    # Without what is of no use here: files, and tests, that need the engine or a server.
    mapfile -t files < <(find "${places[@]}" -name '*.swift' -exec grep -LE \
        '^(package )?import (Hummingbird|RecordSearch|Secrets|Sync(Engine|Server))$' {} +)
    echo "compiling $module for the fuzzer"
    swiftc "${flags[@]}" -module-name "$module" -emit-module \
        -c "${files[@]}" \
        -emit-module-path "$modules/$module.swiftmodule" -o "$modules/$module.o"
}

# Every document that there is; libFuzzer wants them in one folder.
gather_seeds_of_compiler() {
    local document fixtures=Tests/DefinitionCompilerTests/Fixtures
    for document in "$fixtures"/*/application.xml "$fixtures"/originals/*.xml \
        Definitions/*/application.xml; do
        cp "$document" "$folder/seeds/$(tr / - <<<"$document")"
    done
}

# As Python writes archives, and as the target itself does.
gather_seeds_of_uploads() {
    python3 Tests/Fuzzing/upload_seeds.py "$folder/seeds"
    export WAGGLE_SEEDS=$folder/seeds WAGGLE_FUZZ_FOLDER
    # In memory, where there is such a place: each input becomes a file.
    WAGGLE_FUZZ_FOLDER=$(mktemp -d "$([[ -w /dev/shm ]] && echo /dev/shm || echo /tmp)/fuzz.XXXXXX")
    trap 'rm -rf "$WAGGLE_FUZZ_FOLDER"' EXIT
}

gather_seeds_of_questions() {
    printf %s "startswith(tolower(text),'a') and not (number add 1 ge 2.5M or due eq null)" \
        >"$folder/seeds/functions"
    printf %s "(updatedAt ge datetimeoffset'2026-11-21T06:00:10.4690000+00:00')" \
        >"$folder/seeds/pull"
    printf %s "id in ('a','b') or parent eq 'it''s'" >"$folder/seeds/ids"
}

gather_seeds_of_rows() {
    local pull='$filter=(updatedAt%20ge%20datetimeoffset%272026-11-21T06:00:10.469Z%27)'
    printf '%s\n' "$pull&\$orderby=updatedAt&\$skip=1&\$top=50&__includeDeleted=true" \
        "AAAAAAAAA+k=" '{"id":"a","text":"Buy eggs","number":7,"price":1.50,"done":false}' \
        >"$folder/seeds/pull"
    printf '%s\n' '$orderby=updatedAt&$count=true&waggleafter=5&waggleuntil=9' '*' \
        '{"due":"2026-11-21T06:00:10.469Z","parent":"b","version":"AAAAAAAAA+k=","price":null}' \
        >"$folder/seeds/link"
}

gather_seeds_of_requests() {
    local known='{"__type":"Pointer","className":"Note","objectId":"known"}'
    local here='{"__type":"GeoPoint","latitude":52.5,"longitude":13.4}'
    seed_request find '{"_method":"GET","where":{"text":{"$regex":"^\\Qa\\E"},"count":{"$gte":1}}}'
    seed_request operators '{"count":{"__op":"Increment","amount":2},"done":{"__op":"Delete"}}'
    seed_request pointer "{\"parent\":$known}"
    seed_request keys '{"_method":"GET","keys":"parent.text","excludeKeys":["parent.meta"]}'
    seed_request values \
        "{\"meta\":{\"a\":[1]},\"key\":{\"__type\":\"Bytes\",\"base64\":\"AAEC\"},\"place\":$here}"
    seed_request edits '{"meta.a.b":{"__op":"Increment","amount":1.5},"meta.c":{"__op":"Delete"},
        "meta.list":{"__op":"AddUnique","objects":["x",{"y":2}]}}'
    seed_request deep "{\"meta$(printf '.a%.0s' {1..20000})\":1}"
    seed_request lists '{"meta":{"__op":"Add","objects":[1,2]},"meta.0":{"__op":"Remove"}}'
    seed_request relations "{\"notes\":{\"__op\":\"Batch\",\"ops\":[
        {\"__op\":\"AddRelation\",\"objects\":[$known]},
        {\"__op\":\"RemoveRelation\",\"objects\":[$known]}]}}"
    seed_request inside '{"_method":"GET","where":{"meta.a":{"$all":[1,"x"],"$exists":true},
        "meta":{"$in":[{"a":1},null]},"meta.b.0":{"$containedBy":["x"],"$lt":"y"}}}'
    seed_request near "{\"_method\":\"GET\",\"where\":{\"place\":{\"\$nearSphere\":$here,
        \"\$maxDistanceInKilometers\":5.5}}}"
    seed_request box "{\"_method\":\"GET\",\"where\":{\"place\":{\"\$within\":
        {\"\$box\":[$here,$here]}}}}"
    seed_request polygon '{"_method":"GET","where":{"place":{"$geoWithin":
        {"$polygon":[[0,0],[0,5],[5,5.5]]}}}}'
    seed_request circle '{"_method":"GET","where":{"place":{"$geoWithin":
        {"$centerSphere":[[13.4,52.5],0.01]}}}}'
}

seed_request() { printf %s "$2" >"$folder/seeds/$1"; }

fuzz() {
    local started=$SECONDS
    # Shorter traces of each allocation are enough to find a mistake, and twice as fast.
    export ASAN_OPTIONS=malloc_context_size=4:quarantine_size_mb=32
    # Constants of Swift, made when they are first asked for, are kept for good.
    echo 'leak:_WZ$' >"$folder/leaks"
    export LSAN_OPTIONS=suppressions=$folder/leaks:print_suppressions=0
    "$fuzzer" "-dict=Tests/Fuzzing/$target.dict" -max_len=65536 -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="$folder/" "$@" "$folder/corpus" "$folder/seeds" 2>&1 |
        sed -uE '/^(#[0-9]+)?\s+(NEW|REDUCE)/d; /^###### Recommended/,/^###### End/d' || {
        echo "the input that broke it is named above; once it is mended, make it a test" >&2
        exit 1
    }
    echo "no input broke the $target, $((SECONDS - started)) s"
}

main "$@"
