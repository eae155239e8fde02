// SPDX-License-Identifier: Apache-2.0
/**
 * Filters for HTTP: limits per route and the {@code Idempotency-Key} header, for Servlet and WebFlux. What is decided, and
 * what the answer says, stands once in {@link dev.interlock.spring.web.HttpLimits} and
 * {@link dev.interlock.spring.web.IdempotentRequests}; the filters only translate.
 */
@NullMarked
package dev.interlock.spring.web;

import org.jspecify.annotations.NullMarked;
