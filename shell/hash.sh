#!/bin/sh
# The content hash: hash.sh <version> <root or file or dirs:folder …>. Relative paths, executable bits and contents of every
# file below the roots; nothing else, so that a bare touch changes nothing. Node runs this very
# script when it compiles, so that both sides agree by construction.
LC_ALL=C
export LC_ALL
if command -v sha256sum >/dev/null 2>&1; then ah_sum=sha256sum
elif command -v shasum >/dev/null 2>&1; then ah_sum="shasum -a 256"
else ah_sum=cksum; fi
ah_version=$1
shift
# A link that leads to a folder above itself would make the whole disk our content.
ah_follow=-L
if [ "$1" = --no-follow ]; then ah_follow= && shift; fi
{
  printf '%s\n' "$ah_version"
  for ah_root in "$@"; do
    printf 'root\n'
    if [ -d "$ah_root" ]; then
      cd -P "$ah_root" 2>/dev/null || { printf 'closed\n'; continue; }
      find $ah_follow . \( -name node_modules -o -name .git \) -prune -o -type f ! -size +33554432c -exec $ah_sum {} + 2>&1 | sort
      # Nobody waits for the sum of a file of gigabytes: its size and time stand for it.
      find $ah_follow . \( -name node_modules -o -name .git \) -prune -o -type f -size +33554432c -exec ls -lnL {} + 2>&1 | sort
      find $ah_follow . \( -name node_modules -o -name .git \) -prune -o -type f -perm -0100 -print 2>&1 | sort
    elif [ -f "$ah_root" ]; then $ah_sum <"$ah_root"
    elif [ "${ah_root#dirs:}" != "$ah_root" ]; then
      # Only which directories there are: a new one may match a roots: glob.
      find "${ah_root#dirs:}" \( -name node_modules -o -name .git \) -prune -o -type d -print 2>&1 | sort
    fi
  done
} | $ah_sum | {
  read -r ah_hex ah_rest
  printf '%s:%s\n' "${ah_sum%% *}" "$ah_hex"
}
