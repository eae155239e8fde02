#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs one benchmark case, or all: ./benchmarks/run.sh [CASE] [--trials N] [--seconds S] [--out FOLDER]
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
mvn -q -B -f "$root/pom.xml" -Pbenchmarks -pl benchmarks -am -DskipTests -Dspotless.check.skip package >&2
exec java -Xmx4g -cp "$root/benchmarks/target/classes:$root/benchmarks/target/lib/*" dev.interlock.benchmarks.Main "$@"
