// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.ObjectProvider;

class SelfCallsTest {
    static class Plain {
        @Locked("x:#{#id}")
        public void work(long id) {}

        public void outer() {
            work(7);
        }
    }

    static class InLambda {
        @Locked("x:#{#id}")
        public void work(long id) {}

        public Runnable outer() {
            return () -> work(7);
        }
    }

    static class ByReference {
        @Locked("x:#{#id}")
        public void work(Long id) {}

        public void outer(Stream<Long> ids) {
            ids.forEach(this::work);
        }
    }

    static class Base {
        @Locked("x:#{#id}")
        public void work(long id) {}
    }

    static class FromBelow extends Base {
        public void outer() {
            work(7);
        }
    }

    static Stream<Class<?>> past() {
        return Stream.of(Plain.class, InLambda.class, ByReference.class, FromBelow.class);
    }

    @ParameterizedTest
    @MethodSource("past")
    void refusesToStartWhereAnObjectCallsPastItsProxy(Class<?> bean) {
        Application.runner()
                .withBean(bean)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("would not hold for calls from " + bean.getSimpleName()));
    }

    static class ThroughItsProxy {
        private final ObjectProvider<ThroughItsProxy> self;
        private @Nullable ThroughItsProxy kept;

        ThroughItsProxy(ObjectProvider<ThroughItsProxy> self) {
            this.self = self;
        }

        @Locked("x:#{#id}")
        public void work(long id) {}

        public void outer() {
            self.getObject().work(7);
            kept = self.getObject();
            kept.work(8);
        }

        public void others(ThroughItsProxy[] others) {
            others[0].work(9);
        }
    }

    static class Overriding extends Base {
        @Override
        public void work(long id) {
            super.work(id);
        }
    }

    @Test
    void leavesOtherCallsAlone() {
        Application.runner()
                .withBean(ThroughItsProxy.class)
                .withBean(Overriding.class)
                .run(context -> assertThat(context).hasNotFailed());
    }
}
