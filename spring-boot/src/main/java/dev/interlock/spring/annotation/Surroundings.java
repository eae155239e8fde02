// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import dev.interlock.Interlock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.convert.DurationStyle;

/**
 * What guards need of the application, looked up when it is first used.
 *
 * @param beans the application's
 */
record Surroundings(ConfigurableListableBeanFactory beans) {
    Interlock interlock() {
        Interlock found = beans.getBeanProvider(Interlock.class).getIfAvailable();
        if (found == null) {
            throw new IllegalStateException("a method is annotated, but there is no Interlock to guard it: set"
                    + " interlock.enabled to true, or define an Interlock bean");
        }
        return found;
    }

    /** Where methods run that give a stage. */
    Executor executor() {
        String name = TaskExecutionAutoConfiguration.APPLICATION_TASK_EXECUTOR_BEAN_NAME;
        return beans.containsBean(name) && beans.isTypeMatch(name, Executor.class)
                ? beans.getBean(name, Executor.class)
                : ForkJoinPool.commonPool();
    }

    /** A text with its placeholders filled in. */
    String filled(String text) {
        String filled = beans.resolveEmbeddedValue(text);
        return filled == null ? "" : filled.strip();
    }

    /** A duration, or the default if the text is empty. */
    Duration duration(String attribute, String text, Duration unset) {
        String filled = filled(text);
        try {
            return filled.isEmpty() ? unset : DurationStyle.detectAndParse(filled);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(attribute + " is no duration like 30s: " + filled, e);
        }
    }
}
