#!/usr/bin/env bash
# The page of reports in a real browser. Skipped (77) where node, a Chromium or playwright-core is missing; `./dev page-test`
# installs them. Screenshots stay in the build folder.
set -euo pipefail
: "${SAMPLES:?}" "${BOXWOOD:?}" "${BINARY:?}" "${SOURCE:?}"
skip() { echo "SKIPPED: $1 (./dev page-test installs it)"; exit 77; }
export BOXWOOD_NODE_MODULES=${BOXWOOD_NODE_MODULES:-$(cd "$BINARY/.." && pwd)/node/node_modules}
command -v node >/dev/null || skip "node is not there"
[ -d "$BOXWOOD_NODE_MODULES/playwright-core" ] || skip "playwright-core is not in $BOXWOOD_NODE_MODULES"
CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -n "$CHROMIUM" ] || skip "chromium is not there"
export CHROMIUM
folder=$BINARY/pages
mkdir -p "$folder"
"$SAMPLES" "$folder"
"$BOXWOOD" view scene:pot --no-open --output "$folder/view.html"
"$BOXWOOD" view scene:dress --no-open --output "$folder/view-film.html"
"$BOXWOOD" demo --size 2000 --out "$folder/demo" >/dev/null
node "$SOURCE/test/tool/report/page.mjs" "$folder" "$folder/screenshots"
echo "screenshots: $folder/screenshots"
