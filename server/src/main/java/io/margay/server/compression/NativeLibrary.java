package io.margay.server.compression;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// The functions of a library of the system, or why there are none. Immutable.
final class NativeLibrary {
    private final @Nullable SymbolLookup symbols;

    private NativeLibrary(@Nullable SymbolLookup symbols) {
        this.symbols = symbols;
    }

    /// Loads a library for good; one that is not there has no functions.
    ///
    /// @param file as the system's loader knows it, with the version of its interface
    @SuppressWarnings("restricted") // Encoders of libraries are what this is for.
    static NativeLibrary load(String file) {
        try {
            return new NativeLibrary(SymbolLookup.libraryLookup(file, Arena.global()));
        } catch (IllegalArgumentException | IllegalCallerException | LinkageError e) {
            return new NativeLibrary(null);
        }
    }

    boolean isThere() {
        return symbols != null;
    }

    /// A function that answers.
    @SuppressWarnings("restricted")
    MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        return Linker.nativeLinker()
                .downcallHandle(
                        symbols().findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }

    /// A function that does not.
    @SuppressWarnings("restricted")
    MethodHandle procedure(String name, MemoryLayout... arguments) {
        return Linker.nativeLinker()
                .downcallHandle(symbols().findOrThrow(name), FunctionDescriptor.ofVoid(arguments));
    }

    private SymbolLookup symbols() {
        SymbolLookup known = symbols;
        if (known == null) {
            throw new NoSuchElementException("the library is not there");
        }
        return known;
    }

    /// What a call of a function that throws nothing has thrown.
    static IllegalStateException failed(Throwable thrown) {
        return new IllegalStateException("a call of a library failed", thrown);
    }
}
