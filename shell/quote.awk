BEGIN { printf "%s", json_quote(json_wellformed(ENVIRON["HOOK_TEXT"])) }
