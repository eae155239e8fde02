// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Starts a real Redis for the context of a Spring test and connects the whole application to it, whatever
 * {@code spring.data.redis.*} says: stand it beside {@code @SpringBootTest}. Needs interlock-embedded, but no Docker. Tests
 * that share a context share the server and its data, so let each use names of its own.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Import(EmbeddedRedisConfiguration.class)
public @interface InterlockTest {}
