// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import dev.interlock.CorruptStateException;
import java.lang.reflect.Modifier;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/**
 * Writes and reads the results of one method as JSON of its declared type. The mapper is our own: without default typing, and
 * with a validator that allows no class named in the JSON, whatever the application's mapper allows.
 *
 * @param type the declared type
 */
record ResultJson(JavaType type) {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .findAndAddModules()
            .polymorphicTypeValidator(BasicPolymorphicTypeValidator.builder().build())
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    /**
     * For a method.
     *
     * @throws IllegalArgumentException if the type does not say what it holds
     */
    static ResultJson of(Shape shape) {
        ResolvableType declared = shape.resultType();
        check(declared);
        boolean none = declared.resolve() == void.class;
        JavaType type = MAPPER.constructType(none ? Void.class : declared.getType());
        return new ResultJson(
                shape.kind() == Shape.Kind.MANY
                        ? MAPPER.getTypeFactory().constructCollectionType(List.class, type)
                        : type);
    }

    private static void check(ResolvableType declared) {
        Class<?> raw = declared.resolve();
        if (raw == null || raw == Object.class) {
            throw new IllegalArgumentException("its result cannot be kept, because its type " + declared
                    + " does not say what it holds: declare a concrete one");
        }
        boolean open = (raw.isInterface() || Modifier.isAbstract(raw.getModifiers()))
                && !raw.isPrimitive()
                && !raw.isArray()
                && !raw.getName().startsWith("java.");
        boolean closed = raw.isSealed()
                || raw.isAnnotationPresent(com.fasterxml.jackson.annotation.JsonSubTypes.class)
                || raw.isAnnotationPresent(JsonDeserialize.class);
        if (open && !closed) {
            throw new IllegalArgumentException("its result cannot be kept, because it may be any " + raw.getName()
                    + ": declare a concrete type, or name the subtypes with @JsonTypeInfo and @JsonSubTypes");
        }
        for (ResolvableType generic : declared.getGenerics()) {
            check(generic);
        }
    }

    byte[] write(@Nullable Object result) {
        return MAPPER.writerFor(type).writeValueAsBytes(result);
    }

    @Nullable
    Object read(byte[] json) {
        try {
            return MAPPER.readerFor(type).readValue(json);
        } catch (JacksonException e) {
            throw new CorruptStateException("a kept result is no " + type.toCanonical(), e);
        }
    }

    /** A digest of the arguments of a call, but for what Kotlin adds. */
    static String digest(@Nullable Object[] arguments) {
        List<@Nullable Object> values = new ArrayList<>();
        for (Object argument : arguments) {
            if (!isContinuation(argument)) {
                values.add(argument);
            }
        }
        try {
            byte[] json = MAPPER.writeValueAsBytes(values);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(json));
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "an argument of an @Idempotent method has no JSON form: set its fingerprint", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isContinuation(@Nullable Object argument) {
        return argument != null
                && KotlinDetector.isKotlinPresent()
                && argument instanceof kotlin.coroutines.Continuation<?>;
    }
}
