#!/usr/bin/env bash
# Validates the OpenAPI documents of a server, sends generated requests to it, and looks for answers
# that the documents do not describe; `make test-openapi`. SECONDS_EACH is the time for each of the
# four documents: the administration, and the native wire of two definitions, the second one as an
# admin, and as clients of another version are answered.
# schemathesis and openapi-spec-validator come from PyPI into .build/openapi, and are kept there.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly waggle=${WAGGLE:?the path of the tool} seconds=${SECONDS_EACH:-45}
readonly version=4.32.5 validator_version=0.9.0 environment=$PWD/.build/openapi
readonly start_timeout_seconds=60 answer_timeout_seconds=60
readonly settings=$PWD/Tests/OpenAPI/schemathesis.toml
readonly definition=Definitions/Conflicts/application.xml password='a long password'
readonly second=Definitions/FieldService/application.xml
readonly checks=not_a_server_error,status_code_conformance,content_type_conformance
readonly more_checks=response_headers_conformance,response_schema_conformance

[[ -x $environment/bin/schemathesis && -x $environment/bin/openapi-spec-validator ]] || {
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet "schemathesis==$version" \
        "openapi-spec-validator==$validator_version"
}
work=$(mktemp -d)
server=''
clean_up() {
    [[ -z $server ]] || kill -TERM "$server" 2>/dev/null || true
    [[ -z $server ]] || wait "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

readonly database=$work/app.sqlite
"$waggle" deploy "$definition" --database "$database"
"$waggle" user add a --group users --password-stdin --database "$database" <<<"$password"
# A version with another field: its clients are answered in its words.
sed 's/name="score"/name="rating"/' "$definition" >"$work/former.xml"
"$waggle" versions import "$work/former.xml" --tag former --database "$database"
"$waggle" deploy "$second" --database "$database" --environment field
field=(--password-stdin --database "$database" --environment field)
"$waggle" user add boss --group dispatchers --admin "${field[@]}" <<<"$password"
"$waggle" user add a --group technicians "${field[@]}" <<<"$password"
"$waggle" operator add ann --scope designer --password-stdin --database "$database" <<<"$password"
# Before the server opens it.
touch "$work/banner"
"$waggle" serve "$definition" --database "$database" --port 0 >"$work/banner" 2>"$work/log" &
server=$!
for (( waited = 0; waited < 10 * start_timeout_seconds; waited++ )); do
    address=$(sed -n 's/^listening on //p' "$work/banner")
    [[ -z $address ]] || break
    kill -0 "$server" || { cat "$work/log" >&2; exit 1; }
    sleep 0.1
done
[[ -n $address ]] || { echo 'openapi: the server does not listen' >&2; exit 1; }

# Prints the member $1 of the JSON object on standard input.
member() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }
send() {
    curl --silent --show-error --fail --header 'Content-Type: application/json' --data "$1" "${@:2}"
}

send "{\"name\": \"ann\", \"password\": \"$password\"}" --cookie-jar "$work/jar" \
    "$address/admin/v1/session" >"$work/session"
operator=$(send '{"name": "ci", "scope": "designer", "days": 1}' --cookie "$work/jar" \
    "$address/admin/v1/tokens" | member token)
user=$(send "{\"login\": \"a\", \"password\": \"$password\", \"deviceCategory\": \"mobile\",
    \"deviceIdentifier\": \"phone\"}" "$address/v1/test/session" | member token)
admin=$(send "{\"login\": \"boss\", \"password\": \"$password\", \"deviceCategory\": \"office\",
    \"deviceIdentifier\": \"desk\"}" "$address/v1/field/session" | member token)

# Sends requests for the document $1 to $2 with the token $3. It keeps files where it runs. A busy
# machine may take long to make up the first requests, which is no failure.
generate() (
    cd "$work"
    "$environment/bin/schemathesis" --config-file "$settings" run "$1" \
        --url "$2" --header "Authorization: Bearer $3" --max-time "$seconds" \
        --phases examples,coverage,fuzzing --checks "$checks,$more_checks" --warnings off \
        --request-timeout "$answer_timeout_seconds" --suppress-health-check too_slow "${@:4}"
)

"$waggle" openapi >"$work/admin.json"
"$waggle" openapi "$definition" >"$work/native.json"
"$waggle" openapi "$second" >"$work/field.json"
"$waggle" openapi --version former --database "$database" >"$work/former.json"
"$environment/bin/openapi-spec-validator" --schema 3.1 "$work"/{admin,native,field,former}.json
former=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["info"]["version"])' \
    <"$work/former.json")
# A stream of events has no end, and the session must not end.
endless=(--exclude-operation-id live --exclude-operation-id signOut
    --exclude-operation-id endSession)
generate "$work/native.json" "$address/v1/test" "$user" "${endless[@]}"
generate "$work/former.json" "$address/v1/test" "$user" "${endless[@]}" \
    --header "Waggle-Definition: $former"
generate "$work/field.json" "$address/v1/field" "$admin" "${endless[@]}"
# Streams of events have no end, and neither the token nor the environment's name must end.
generate "$work/admin.json" "$address/admin/v1" "$operator" \
    --exclude-operation-id followEvents --exclude-operation-id followDraft \
    --exclude-operation-id revokeToken --exclude-operation-id removeOperator \
    --exclude-operation-id renameEnvironment
if grep --quiet '"level":"critical"\|Fatal error' "$work/log"; then
    cat "$work/log" >&2
    exit 1
fi
