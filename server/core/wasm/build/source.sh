#!/bin/bash
# Downloads the source packages pinned in versions.txt, and unpacks each into $1/NAME. Uses the mirrors of the system's
# apt configuration, with separate package lists.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
into=$1
mkdir -p "$into/apt/sources" "$into/apt/lists/partial" "$into/packages"

for file in /etc/apt/sources.list.d/*.sources; do
  [ -e "$file" ] && sed 's/^Types:.*/Types: deb-src/' "$file" >"$into/apt/sources/$(basename "$file")"
done
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ -e "$file" ] && sed -n 's/^deb /deb-src /p' "$file" >"$into/apt/sources/$(basename "$file")"
done
apt=(apt-get -qq -o "Dir::Etc::sourceparts=$into/apt/sources" -o Dir::Etc::sourcelist=/dev/null
  -o "Dir::State::Lists=$into/apt/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update

cd "$into/packages"
while read -r name version _; do
  [[ $name == '#'* ]] && continue
  # apt verifies the signature of the archive and the hash of every downloaded file.
  "${apt[@]}" source --download-only "$name=$version"
  dsc="${name}_${version#*:}.dsc"
  found=$(sed -n 's/^Version: //p' "$dsc" | head -1)
  [ "$found" = "$version" ] || { echo "$name has version $found, but $version is pinned: review the changes, then update versions.txt" >&2; exit 1; }
  rm -rf "${into:?}/$name"
  dpkg-source --no-check -x "$dsc" "$into/$name" >/dev/null
done <"$here/versions.txt"
