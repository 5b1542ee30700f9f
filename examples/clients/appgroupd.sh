#!/bin/sh
# A client of appgroupd with curl: a submit, a submit with events, a batch, a cancel and a download.
#
# usage: appgroupd.sh PICTURE_URL SLOW_URL
#   PICTURE_URL is a picture that the daemon may fetch, and SLOW_URL a picture whose origin takes long.
#   APPGROUPD_URL is the address of the daemon (http://127.0.0.1:8480), and APPGROUPD_TOKEN the token, if it needs one.
# Needs curl, jq and sha256sum. Ends with status 1 when a call fails.
set -eu

base="${APPGROUPD_URL:-http://127.0.0.1:8480}"
picture="$1" slow="$2"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# curl repeats a call that got 429 or 503, and waits as long as Retry-After says. The id makes the repetition harmless.
# Without --fail-with-body, a problem would look like a result.
call() {
    curl -sS --fail-with-body --retry 5 --max-time 40 ${APPGROUPD_TOKEN:+-H "Authorization: Bearer $APPGROUPD_TOKEN"} "$@"
}

# Prints a payload for APNs. Its argument is the URL of the picture.
payload() {
    jq -nc --arg url "$1" '{aps: {alert: {title: "Summer", body: "Three days at sea"}, "mutable-content": 1}, image: $url}'
}

new_id() { cat /proc/sys/kernel/random/uuid; }

# Submit, and wait for the result. Request-Timeout is the budget in seconds: with it, the answer is never late.
payload "$picture" | call -d @- -H "Idempotency-Key: $(new_id)" -H 'Request-Timeout: 10' "$base/v1/notifications" \
    >"$folder/result.json"
jq -r '"submit: \(.outcome), \(.content.attachments[0].mimeType)"' "$folder/result.json"

# Submit without waiting, and follow the events until the result is there.
id=$(new_id)
payload "$picture" | call -o /dev/null -d @- -H "Idempotency-Key: $id" -H 'Prefer: respond-async' "$base/v1/notifications"
call -N "$base/v1/notifications/$id/events" | sed -n 's/^event: /event: /p'
call "$base/v1/notifications/$id" | jq -r '"async: \(.outcome)"'

# A batch: a template, and one line for each recipient. The last line of the answer is the summary.
{
    payload "$picture" | jq -c '{template: {payload: .}}'
    for name in anna ben clara; do
        jq -nc --arg id "$(new_id)" --arg name "$name" \
            '{id: $id, recipient: $name, payload: {aps: {alert: {body: "Hello \($name)"}}}}'
    done
} | call --data-binary @- "$base/v1/notifications:batch" >"$folder/batch.ndjson"
tail -n 1 "$folder/batch.ndjson" | jq -e '.summary.complete' >/dev/null
jq -rs '"batch: \(map(select(.line)) | length) results"' "$folder/batch.ndjson"

# Cancel a request. Its result has the outcome cancelled and the fallback text.
id=$(new_id)
payload "$slow" | call -o /dev/null -d @- -H "Idempotency-Key: $id" -H 'Prefer: respond-async' "$base/v1/notifications"
call -X DELETE "$base/v1/notifications/$id"
call "$base/v1/notifications/$id" | jq -r '"cancel: \(.outcome)"'

# Download the rendition as a phone does: without a token.
curl -sS --fail --max-time 40 -o "$folder/rendition" "$(jq -r '.content.attachments[0].publicURL' "$folder/result.json")"
digest=$(sha256sum <"$folder/rendition" | cut -d ' ' -f 1)
[ "$digest" = "$(jq -r '.content.attachments[0].sha256' "$folder/result.json")" ]
echo "download: $(wc -c <"$folder/rendition") bytes"
