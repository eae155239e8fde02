// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.Advised;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What an application does not start with, without any Redis. */
class GuardChecksTest {
    static class Private {
        @Locked("x:#{#id}")
        private void work(long id) {}
    }

    static class Static {
        @Locked("x:#{#id}")
        static void work(long id) {}
    }

    static class FinalMethod {
        @Locked("x:#{#id}")
        final void work(long id) {}
    }

    static final class FinalClass {
        @Locked("x:#{#id}")
        void work(long id) {}
    }

    static class Unknown {
        @Locked("x:#{#nobody}")
        void work(long id) {}
    }

    static class Nameless {
        @Locked
        void work(long id) {}
    }

    static class Evil {
        @Locked(name = "#{T(java.lang.Runtime).getRuntime().exec('true')}")
        void work(long id) {}
    }

    static class ShortLease {
        @Locked(name = "x:#{#id}", leaseTime = "600ms")
        void work(long id) {}
    }

    static class NoDuration {
        @Locked(name = "x:#{#id}", waitTime = "soon")
        void work(long id) {}
    }

    static class LongWait {
        @Locked(name = "x:#{#id}", waitTime = "25h")
        void work(long id) {}
    }

    static class PlainFuture {
        @Locked("x:#{#id}")
        Future<String> work(long id) {
            throw new AssertionError();
        }
    }

    static class Lazy {
        @Locked("x:#{#id}")
        Iterator<String> work(long id) {
            throw new AssertionError();
        }
    }

    static class BadLimit {
        @RateLimited(key = "#{#id}", limit = "many")
        void work(long id) {}
    }

    static class NoCost {
        @RateLimited(key = "#{#id}", limit = "1/1s", cost = 0)
        void work(long id) {}
    }

    private static class Inherited extends FinalMethod {}

    static Stream<Arguments> broken() {
        return Stream.of(
                Arguments.of(Private.class, "@Locked on Private.work cannot hold, because it is private"),
                Arguments.of(Static.class, "@Locked on Static.work cannot hold, because it is static"),
                Arguments.of(FinalMethod.class, "@Locked on FinalMethod.work cannot hold, because it is final"),
                Arguments.of(Inherited.class, "@Locked on FinalMethod.work cannot hold, because it is final"),
                Arguments.of(FinalClass.class, "because FinalClass is final"),
                Arguments.of(Unknown.class, "names #nobody, but the parameters are [id]"),
                Arguments.of(Nameless.class, "@Locked(name) of Nameless.work must have 1 to 512 characters"),
                Arguments.of(Evil.class, "may hold parameters and their properties"),
                Arguments.of(ShortLease.class, "three times interlock.command-timeout, but is PT0.6S"),
                Arguments.of(NoDuration.class, "waitTime is no duration like 30s: soon"),
                Arguments.of(LongWait.class, "waitTime must be"),
                Arguments.of(PlainFuture.class, "that gives a Future"),
                Arguments.of(Lazy.class, "that gives a Iterator"),
                Arguments.of(BadLimit.class, "a limit is written like 100/1m"),
                Arguments.of(NoCost.class, "cost must be from 1"));
    }

    @ParameterizedTest
    @MethodSource("broken")
    void refusesToStart(Class<?> bean, String because) {
        Application.runner()
                .withBean(bean)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(because));
    }

    static class Good {
        @Locked("x:#{#id}")
        public List<String> work(long id) {
            return List.of();
        }
    }

    @Test
    void startsWithAMethodThatCanBeGuarded() {
        ApplicationContextRunner runner = Application.runner().withBean(Good.class);
        runner.run(context -> assertThat(context.getBean(Good.class)).isInstanceOf(Advised.class));
    }

    static class Literal {
        @Locked("all")
        void work() {}
    }

    @Test
    void refusesToRunUnguardedWhereThereIsNoInterlock() {
        Application.runner()
                .withBean(Literal.class)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("interlock.enabled"));
    }

    @Test
    void leavesOtherBeansAlone() {
        Application.runner()
                .withBean(StringBuilder.class)
                .run(context -> assertThat(context.getBean(StringBuilder.class)).isNotInstanceOf(Advised.class));
    }
}
