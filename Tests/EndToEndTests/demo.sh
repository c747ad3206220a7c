#!/usr/bin/env bash
# Plays the stories of the product with curl against servers of its own, and checks every answer.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: demo.sh [--help]

Plays two stories, so that a person can follow them, and checks each answer on the way:

  Permissions  a field that only the owner of a record sees and sets
  Conflicts    two people change one record offline, and one of them resolves it

Each story has a server of its own, on a free port and with a temporary database, which are gone
when it ends. The exit code is 0 when everything was as the stories say, 1 when something was not,
2 when the demo was called wrongly, and 3 when something that it needs is missing.

Environment:
  WAGGLE    the tool to play with (default: .build/debug/waggle of this repository)
  NO_COLOR  when set, there are no colours on a terminal either
TEXT
}

readonly start_timeout_seconds=60 answer_timeout_seconds=60
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly top
readonly waggle=${WAGGLE:-$top/.build/debug/waggle}
# The tool's own settings are given here, whatever the shell that this runs in has.
for name in "${!WAGGLE_@}"; do unset "$name"; done

if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
    readonly bold=$'\e[1m' dim=$'\e[2m' green=$'\e[32m' plain=$'\e[0m'
else
    readonly bold='' dim='' green='' plain=''
fi

# --- Processes that are started, and ended again -----------------------------------------------

work=''      # the temporary folder
server=''    # process id of the server
lines=''     # what the server writes to standard output
definition=''
url=''
declare -A token=() cursor=()

fail() {
    printf '\ndemo: %s\n' "$1" >&2
    exit "${2:-1}"
}

stop_server() {
    [[ -n $server ]] || return 0
    kill -TERM "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=''
    exec {lines}<&-
}

clean_up() {
    stop_server
    [[ -z $work ]] || rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Shows what the tool says only when it fails.
quietly() {
    "$@" 2>"$work/said" || fail "'${1##*/} ${*:2:1}' failed: $(<"$work/said")"
}

# Serves Definitions/$1 on a free port, with the users a and b.
start_server() {
    definition=$top/Definitions/$1/application.xml
    local place=(--database "$work/$1.sqlite" --environment demo) line
    quietly "$waggle" deploy "$definition" "${place[@]}"
    for login in a b; do
        quietly "$waggle" user add "$login" --group users --password-stdin \
            --min-password-length 5 "${place[@]}" <<<"user$login"
    done
    exec {lines}< <(exec "$waggle" serve "$definition" "${place[@]}" --port 0 2>"$work/log")
    server=$!
    read -r -t "$start_timeout_seconds" line <&"$lines" ||
        fail "the server does not say where it listens; its log: $(<"$work/log")"
    [[ $line == 'listening on '* ]] || fail "the server said '$line' instead of where it listens"
    url=${line#listening on }/v1/demo
    cursor=()
}

# --- Asking, and looking at the answer -------------------------------------------------------

status='' answer=''

# Posts the JSON $2 to the path $1, with curl's further arguments.
post() {
    local reply
    reply=$(curl --disable --noproxy '*' --silent --show-error \
        --max-time "$answer_timeout_seconds" --write-out '\n%{http_code}' \
        --header 'Content-Type: application/json' --data "$2" "${@:3}" "$url/$1") ||
        fail "no answer to: $2; the server's log: $(<"$work/log")"
    status=${reply##*$'\n'}
    answer=${reply%$'\n'*}
}

sign_in() {
    post session "$(jq -cn --arg login "$1" \
        '{$login, password: "user\($login)", deviceCategory: "mobile",
          deviceIdentifier: "phone-of-\($login)"}')"
    [[ $status == 201 ]] || fail "$1 cannot sign in, status $status: $answer"
    token[$1]=$(jq -r .token <<<"$answer")
}

# As a client does it: sends the changes ($2 and further, JSON objects) with the cursor of the
# last answer, and keeps the cursor of this one.
sync_as() {
    local request
    request=$(printf '%s\n' "${@:2}" | jq -cs --arg cursor "${cursor[$1]:-}" \
        '(if $cursor == "" then {} else {$cursor} end)
         + (if . == [] then {} else {changes: .} end)')
    jq -r '
        if .changes then .changes[] |
            "    → \(.action) \(.model)" + (if .base then " from revision \(.base)" else "" end)
            + (if .fields then ": \(.fields | tojson)" else "" end)
        else "    → what is new?" end' <<<"$request"
    post sync "$request" --header "Authorization: Bearer ${token[$1]}"
    [[ $status == 200 ]] || fail "$1 cannot sync, status $status: $answer"
    cursor[$1]=$(jq -r .cursor <<<"$answer")
    jq -r '
        def who: "\(.login) \(.fields | tojson)";
        (.outcomes[] | "    ← \(.outcome)"
            + (if .revision then ", revision \(.revision)" else "" end),
            (.causes[]? | "      \(.code): \(.message)")),
        (.records[] | "    ← \(.model), revision \(.revision): \(.fields | tojson)",
            (.conflicts[]? | "      conflicted: base \(.base.fields | tojson), "
                + "theirs \(.theirs | who), mine \(.mine | who)"))' <<<"$answer" |
        while IFS= read -r line; do printf '%s%s%s\n' "$dim" "$line" "$plain"; done
}

# A change: id, action, guid, then where there are any the base and the fields.
change() {
    jq -cn --arg id "$1" --arg action "$2" --arg model "$model" --arg guid "$3" \
        --argjson base "${4:-null}" --argjson fields "${5:-null}" \
        '{$id, $action, $model, $guid, $base, $fields} | del(.[] | nulls)'
}

# Says $1 and makes sure of it: the jq filter $2 is true of the last answer.
expect() {
    jq --exit-status --argjson seen "${seen:-null}" "$2" <<<"$answer" >/dev/null ||
        fail "this does not hold: $1
the answer was: $answer"
    printf '    %s✓%s %s\n' "$green" "$plain" "$1"
}

story() { printf '\n%s%s%s\n%s\n' "$bold" "$1" "$plain" "$2"; }

step() { printf '\n  %s\n' "$bold$1$plain"; }

new_guid() { cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen | tr 'A-Z' 'a-z'; }

# --- The stories -----------------------------------------------------------------------------

play_permissions() {
    story Permissions \
        "Everybody sees every film's title; its director only whoever entered the film."
    local guid line model=PermissionsEntity
    guid=$(new_guid)
    start_server Permissions
    sign_in a
    sign_in b

    step 'a enters a film with its director'
    sync_as a "$(change a-1 create "$guid" '' '{"title": "Solaris", "director": "Tarkovsky"}')"
    expect 'it is taken' '.outcomes[0] | .outcome == "accepted" and .revision == 1'
    expect 'a sees both fields' \
        '.records[0].fields == {"title": "Solaris", "director": "Tarkovsky"}'

    step 'b pulls'
    sync_as b
    expect 'b sees the film and its title' \
        '.records | length == 1 and .[0].fields.title == "Solaris"'
    expect 'for b there is no director at all, not even a null' \
        '.records[0].fields | has("director") | not'
    expect 'nothing in the answer tells the name' 'tojson | contains("Tarkovsky") | not'

    step 'b changes the title'
    sync_as b "$(change b-1 update "$guid" 1 '{"title": "Solaris (1972)"}')"
    expect 'it is taken' '.outcomes[0] | .outcome == "accepted" and .revision == 2'

    step 'a pulls'
    sync_as a
    expect 'a sees the new title, and the director is as it was' \
        '.records[0].fields == {"title": "Solaris (1972)", "director": "Tarkovsky"}'

    step 'b tries to set the director'
    sync_as b "$(change b-2 update "$guid" 2 '{"director": "Soderbergh"}')"
    expect 'it is refused' '.outcomes[0] | .outcome == "refused" and (has("revision") | not)'
    expect 'the refusal names the missing right and the field' '.outcomes[0].causes
        | length == 1 and .[0].code == "noCredentialsToPerformOperationOnField"
        and .[0].argument == "update" and .[0].field == "director"'
    expect 'and the place of the rule' '.outcomes[0].causes[0] | .line > 0 and .column > 0'
    line=$(jq .outcomes[0].causes[0].line <<<"$answer")
    line=$(sed -n "${line}{s/^ *//;p;}" "$definition")
    [[ $line == '<credential role="users-mobile"'*'updateAllowed="OWN"'* ]] ||
        fail "this is not the rule for the director: $line"
    printf '      application.xml:%s: %s\n' \
        "$(jq -r '.outcomes[0].causes[0] | "\(.line):\(.column)"' <<<"$answer")" "$line"

    step 'a pulls'
    sync_as a
    expect 'nothing is new: a refused change leaves no trace' '.records == []'
    stop_server
}

play_conflicts() {
    story Conflicts \
        'Two people change one record while neither sees the other. Neither change is lost.'
    local guid seen update model=ConflictsEntity
    guid=$(new_guid)
    start_server Conflicts
    sign_in a
    sign_in b

    step 'a creates a record'
    sync_as a "$(change a-1 create "$guid" '' '{"title": "Stalker"}')"
    expect 'it is taken, and a new record has the score 1' \
        '(.outcomes[0].outcome == "accepted") and .records[0].fields.score == 1'

    step 'b pulls'
    sync_as b
    expect 'b has the same revision of it' \
        '.records[0] | .revision == 1 and .fields == {"title": "Stalker", "score": 1}'

    step 'a and b go offline; a gives it a 4, b gives it a 5; then a syncs'
    sync_as a "$(change a-2 update "$guid" 1 '{"score": 4}')"
    expect 'a was first' '.outcomes[0] | .outcome == "accepted" and .revision == 2'

    step 'b syncs'
    update=$(change b-1 update "$guid" 1 '{"score": 5}')
    sync_as b "$update"
    expect 'b could not know of the 4: a conflict' \
        '.outcomes[0] | .outcome == "conflicted" and .revision == 3'
    expect 'the record is marked, and keeps what it had' \
        '.records[0] | .conflicted and .fields.score == 4'
    expect 'the base is there' \
        '.records[0].conflicts[0] | .baseRevision == 1 and .base.fields == {"score": 1}'
    expect "so is what b wants, and that it was b's" \
        '.records[0].conflicts[0].mine | .login == "b" and .fields == {"score": 5}'
    expect "so is what a did, and that it was a's" \
        '.records[0].conflicts[0].theirs | .login == "a" and .fields == {"score": 4}'
    seen=$(jq '.records[0]' <<<"$answer")

    step 'a pulls'
    sync_as a
    expect 'a sees the same conflict' '.records == [$seen]'

    step "b's phone lost the answer, and sends the same change again"
    sync_as b "$update"
    expect 'it gets the same outcome' \
        '.outcomes[0] | .outcome == "conflicted" and .revision == 3'
    expect 'and nothing has happened twice' '.records == []'

    step 'a chooses the 5'
    sync_as a "$(change a-3 resolve "$guid" 3 '{"score": 5}')"
    expect 'the conflict is over' '(.outcomes[0] | .outcome == "accepted" and .revision == 4)
        and (.records[0] | (.conflicted | not) and (has("conflicts") | not))'
    seen=$(jq '.records[0]' <<<"$answer")

    step 'b pulls'
    sync_as b
    expect 'b sees it resolved' '.records == [$seen] and .records[0].fields.score == 5'
    stop_server
}

# --- The play --------------------------------------------------------------------------------

case ${1:-} in
    '') ;;
    -h | --help) usage && exit 0 ;;
    *) fail "there is no option '$1'; see demo.sh --help" 2 ;;
esac
for program in curl jq; do
    command -v "$program" >/dev/null || fail "$program was not found; 'make setup' installs it" 3
done
[[ -x $waggle ]] || fail "there is no tool at '$waggle'; 'make build' builds it" 3
work=$(mktemp -d "${TMPDIR:-/tmp}/waggle-demo.XXXXXX")

play_permissions
play_conflicts
printf '\n%s\n' "${green}Everything was as the stories say.$plain"
