#!/bin/sh
. "$ANYHOOK_LIB"
case $(hook_field last_assistant_message) in
  *finished*) hook_deny "Say what was tested." ;;
esac
