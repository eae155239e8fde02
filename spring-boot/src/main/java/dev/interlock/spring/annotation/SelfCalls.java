// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Finds methods of a class that call a guarded method of the same object, past its proxy. Such a call is seen in the
 * byte code as one on the own type, in a method that has no other object of that type in its hands: no parameter, field, cast,
 * new object or result. A call on an injected proxy of oneself is therefore left alone; so is what cannot be read.
 */
final class SelfCalls extends ClassVisitor {
    private final String owner;
    private final Set<String> guarded;
    private @Nullable String caller;

    private SelfCalls(String owner, Set<String> guarded) {
        super(SpringAsmInfo.ASM_VERSION);
        this.owner = owner;
        this.guarded = guarded;
    }

    /** Names a method of the class that calls a guarded one of the same object. */
    static Optional<String> find(Class<?> type, Iterable<Method> guarded) {
        Set<String> signatures = new HashSet<>();
        for (Method method : guarded) {
            signatures.add(method.getName() + Type.getMethodDescriptor(method));
        }
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream code = type.getResourceAsStream(file)) {
            if (code == null) {
                return Optional.empty();
            }
            SelfCalls calls = new SelfCalls(Type.getInternalName(type), signatures);
            new ClassReader(code).accept(calls, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            return Optional.ofNullable(calls.caller);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        boolean bridge = (access & Opcodes.ACC_BRIDGE) != 0;
        return bridge ? null : new Body(name, descriptor);
    }

    /** One method: whether it calls a guarded one, and whether it could do so on another object. */
    private final class Body extends MethodVisitor {
        private final String name;
        private boolean calls;
        private boolean hasOther;

        Body(String name, String descriptor) {
            super(SpringAsmInfo.ASM_VERSION);
            this.name = name;
            for (Type argument : Type.getArgumentTypes(descriptor)) {
                sees(argument.getInternalName());
            }
        }

        /** Objects in an array count too. */
        private void sees(String type) {
            hasOther |= type.equals(owner) || type.endsWith("[L" + owner + ";");
        }

        @Override
        public void visitMethodInsn(int opcode, String type, String method, String descriptor, boolean isInterface) {
            calls |= opcode == Opcodes.INVOKEVIRTUAL && type.equals(owner) && guarded.contains(method + descriptor);
            sees(Type.getReturnType(descriptor).getInternalName());
        }

        @Override
        public void visitInvokeDynamicInsn(String method, String descriptor, Handle bootstrap, Object... arguments) {
            for (Object argument : arguments) {
                if (argument instanceof Handle handle && handle.getOwner().equals(owner)) {
                    calls |= guarded.contains(handle.getName() + handle.getDesc());
                }
            }
        }

        @Override
        public void visitFieldInsn(int opcode, String type, String field, String descriptor) {
            sees(Type.getType(descriptor).getInternalName());
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            sees(type);
        }

        @Override
        public void visitEnd() {
            if (calls && !hasOther) {
                caller = name;
            }
        }
    }
}
