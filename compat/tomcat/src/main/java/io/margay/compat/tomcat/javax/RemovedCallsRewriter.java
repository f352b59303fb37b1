package io.margay.compat.tomcat.javax;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Lets a converted class call what stands for removed methods: `session.getValue(name)` becomes
/// `RemovedCalls.getValue(session, name)`, also as a method reference, and `super.encodeUrl(url)`
/// in a wrapper `RemovedMethods.encodeUrl(this, url)`. A static call takes what the other one takes
/// from the stack and no more bytes, so instructions stay where they are and no stack map changes.
/// Confined to one thread.
final class RemovedCallsRewriter {
    private static final int INVOKE_SPECIAL = 0xb7;
    private static final int INVOKE_STATIC = 0xb8;
    private static final int INVOKE_INTERFACE = 0xb9;

    private static final int REF_INVOKE_STATIC = 6;
    private static final int REF_INVOKE_SPECIAL = 7;

    private final ClassModel model;
    private final Map<Integer, RemovedApi.Method> calls = new HashMap<>();
    private boolean constructors;

    private RemovedCallsRewriter(ClassModel model) {
        this.model = model;
    }

    /// The rewritten class file; null when it calls nothing that was removed.
    ///
    /// @param file a class file, which may be changed
    static byte @Nullable [] rewritten(byte[] file) {
        if (!ClassConstants.isClassFile(file)) {
            return null;
        }
        try {
            ClassModel model = ClassFile.of().parse(file);
            byte[] called = new RemovedCallsRewriter(model).rewrite(file);
            byte[] added =
                    RemovedOverrides.added(called == null ? model : ClassFile.of().parse(called));
            return added == null ? called : added;
        } catch (IllegalArgumentException e) {
            return null; // Damaged, or newer than this Java: loading it will say so.
        }
    }

    private byte @Nullable [] rewrite(byte[] file) {
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof MemberRefEntry member) {
                look(member);
            }
        }
        if (calls.isEmpty() && !constructors) {
            return null;
        }
        ClassPatch patch = new ClassPatch(file.clone());
        handles(patch);
        List<Integer> codes = patch.codes();
        for (int i = 0; i < codes.size(); i++) {
            MethodModel method = model.methods().get(i);
            int code = codes.get(i);
            if (code >= 0) {
                method.code().ifPresent(body -> code(body, code, patch));
            }
        }
        if (constructors) {
            constructors(patch);
        }
        return patch.isTooLarge() ? null : patch.toBytes();
    }

    private void look(MemberRefEntry member) {
        String owner = member.owner().asInternalName();
        String name = member.name().stringValue();
        String descriptor = member.type().stringValue();
        RemovedApi.Method method = RemovedApi.method(owner, name, descriptor);
        if (method != null) {
            calls.put(member.index(), method);
        }
        constructors |=
                owner.equals(RemovedApi.UNAVAILABLE)
                        && name.equals("<init>")
                        && RemovedApi.UNAVAILABLE_CONSTRUCTORS.contains(descriptor);
    }

    /// Method references.
    private void handles(ClassPatch patch) {
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof MethodHandleEntry handle) {
                RemovedApi.Method method = calls.get(handle.reference().index());
                if (method != null) {
                    int at = patch.entryAt(handle.index());
                    boolean special = handle.kind() == REF_INVOKE_SPECIAL;
                    patch.put1(at + 1, REF_INVOKE_STATIC);
                    patch.put2(at + 2, standIn(method, special, patch));
                }
            }
        }
    }

    private void code(CodeModel body, int begin, ClassPatch patch) {
        int at = begin;
        for (CodeElement element : body) {
            if (element instanceof InvokeInstruction) {
                call(at, patch);
            }
            if (constructors
                    && element instanceof NewObjectInstruction made
                    && isUnavailable(made.className())) {
                patch.put2(at + 1, patch.classEntry(RemovedApi.SERVLET_UNAVAILABLE));
            }
            if (element instanceof Instruction instruction) {
                at += instruction.sizeInBytes();
            }
        }
    }

    private void call(int at, ClassPatch patch) {
        RemovedApi.Method method = calls.get(patch.get2(at + 1));
        if (method == null) {
            return;
        }
        int opcode = patch.get1(at);
        patch.put1(at, INVOKE_STATIC);
        patch.put2(at + 1, standIn(method, opcode == INVOKE_SPECIAL, patch));
        if (opcode == INVOKE_INTERFACE) {
            patch.put2(at + 3, 0); // Two instructions that do nothing, for it was two bytes longer.
        }
    }

    private static int standIn(RemovedApi.Method method, boolean special, ClassPatch patch) {
        String wrapper = method.wrapper();
        return special
                ? patch.method(
                        RemovedApi.METHODS,
                        method.name(),
                        method.with(wrapper == null ? method.receiver() : wrapper))
                : patch.method(RemovedApi.CALLS, method.name(), method.with(method.receiver()));
    }

    /// All constructors of the exception become those of its stand-in, which has the same and those
    /// that were removed, and so does the superclass of what extends it.
    private void constructors(ClassPatch patch) {
        int standIn = patch.classEntry(RemovedApi.SERVLET_UNAVAILABLE);
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof MemberRefEntry member
                    && isUnavailable(member.owner())
                    && member.name().equalsString("<init>")) {
                patch.put2(patch.entryAt(member.index()) + 1, standIn);
            }
        }
        if (model.superclass().map(RemovedCallsRewriter::isUnavailable).orElse(false)) {
            patch.put2(patch.superclassAt(), standIn);
        }
    }

    private static boolean isUnavailable(ClassEntry type) {
        return type.name().equalsString(RemovedApi.UNAVAILABLE);
    }
}
