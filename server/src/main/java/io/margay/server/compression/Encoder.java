package io.margay.server.compression;

/// Encodes one content after the other. Used by one thread at a time.
interface Encoder {
    /// What is to become of what the encoder still has of its input.
    enum Flush {
        /// The encoder may keep it, to encode it better with what follows.
        NONE(0),
        /// The client must be able to decode everything so far.
        CONTENT(1),
        /// The content ends here.
        END(2);

        private final int operation;

        Flush(int operation) {
            this.operation = operation;
        }

        /// What libbrotlienc and libzstd both call it.
        int operation() {
            return operation;
        }
    }

    /// Begins another content.
    ///
    /// @param level of gzip, 1 to 9; the others have one of their own
    void begin(int level);

    /// Takes input, when all of what came before has been encoded. The array is read until then.
    void input(byte[] source, int offset, int length);

    /// Puts encoded content.
    ///
    /// @param length at least 64
    /// @return bytes put
    int output(byte[] target, int offset, int length, Flush flush);

    /// Whether the latest call of [#output] had too little room, and is to be called again.
    boolean hasMore();

    /// Frees what it holds outside of the heap; it is unusable afterwards.
    void close();
}
