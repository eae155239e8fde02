// SPDX-License-Identifier: Apache-2.0
package dev.interlock.structure;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;

/** The three views of every primitive have the same operations. */
class ViewParityTest {
    /** Every public interface that has an {@code Async} and a {@code Reactive} inside. */
    static Stream<Class<?>> primitives() {
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.interlock").stream()
                        .filter(type -> type.getSimpleName().equals("Async"))
                        .map(JavaClass::getEnclosingClass)
                        .map(outer -> outer.orElseThrow().reflect());
    }

    @ParameterizedTest
    @MethodSource("primitives")
    void theAsynchronousViewHasTheSameOperations(Class<?> primitive) {
        Class<?> async = view(primitive, "Async");
        assertThat(operations(async)).isEqualTo(operations(primitive));
        assertThat(async.getMethods())
                .filteredOn(ViewParityTest::isOperation)
                .allSatisfy(method -> assertThat(method.getReturnType()).isEqualTo(CompletionStage.class));
    }

    @ParameterizedTest
    @MethodSource("primitives")
    void theReactiveViewHasTheSameOperations(Class<?> primitive) {
        Class<?> reactive = view(primitive, "Reactive");
        assertThat(operations(reactive)).isEqualTo(operations(primitive));
        assertThat(reactive.getMethods())
                .filteredOn(ViewParityTest::isOperation)
                .allSatisfy(method -> assertThat(Publisher.class).isAssignableFrom(method.getReturnType()));
    }

    private static Class<?> view(Class<?> primitive, String name) {
        return Arrays.stream(primitive.getClasses())
                .filter(inner -> inner.getSimpleName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(primitive + " has no " + name));
    }

    private static TreeSet<String> operations(Class<?> type) {
        TreeSet<String> operations = new TreeSet<>();
        List<String> views = List.of("async", "reactive", "outbox", "holds", "control", "shards");
        for (Method method : type.getMethods()) {
            if (isOperation(method) && !views.contains(method.getName())) {
                operations.add(method.getName() + Arrays.toString(method.getParameterTypes()));
            }
        }
        return operations;
    }

    private static boolean isOperation(Method method) {
        return Modifier.isAbstract(method.getModifiers());
    }
}
