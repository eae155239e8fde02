// SPDX-License-Identifier: Apache-2.0
/**
 * Annotations that guard the methods of beans: {@link dev.interlock.spring.annotation.Locked},
 * {@link dev.interlock.spring.annotation.RateLimited} and {@link dev.interlock.spring.annotation.Idempotent}.
 *
 * <p>They work on methods that return a value, a {@link java.util.concurrent.CompletionStage}, a
 * {@code Mono}, a {@code Flux} or another type that Reactor can adapt, and on Kotlin's suspend functions. An application does
 * not start with one that could not work: on a private, final or static method, in a final class, with an expression that
 * names no parameter, or inside the transaction of its own method.
 *
 * <p>They do <em>not</em> work when an object calls its own method: only calls from other beans pass the proxy. An application
 * does not start with a class whose code plainly does that. Put the guarded method into a bean of its own.
 *
 * <p>Names and keys are templates: text with expressions over the parameters, {@code "order:#{#id}"} or
 * {@code "#{#order.customer.id}"}. Only parameters, their properties, indexes, comparisons, {@code +}, {@code ?:} and
 * {@code ? :} are allowed; no methods, types, constructors or beans. Arguments are data and never evaluated. A value is text,
 * a number, an enum constant or a UUID, and neither null nor empty. Where a template has several expressions, the
 * characters between them are percent-encoded within the values, so that different values never give the same name.
 */
@NullMarked
package dev.interlock.spring.annotation;

import org.jspecify.annotations.NullMarked;
