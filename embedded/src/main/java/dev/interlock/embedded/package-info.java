// SPDX-License-Identifier: Apache-2.0
/**
 * Real servers for demos and tests, as child processes that cannot outlive this JVM: {@link
 * dev.interlock.embedded.RedisServer}, {@link dev.interlock.embedded.PostgresServer}, and a TCP proxy that injects
 * faults, {@link dev.interlock.embedded.FaultProxy}. Everything listens on 127.0.0.1 only. Linux and macOS.
 */
@NullMarked
package dev.interlock.embedded;

import org.jspecify.annotations.NullMarked;
