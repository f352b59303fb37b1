package io.margay.app.it;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;

/// A value that is small here and takes many MiB as it is written.
public final class LargeValue implements Serializable {
    @Serial private static final long serialVersionUID = 1L;

    private final int mebibytes;

    LargeValue(int mebibytes) {
        this.mebibytes = mebibytes;
    }

    @Serial
    private void writeObject(ObjectOutputStream out) throws IOException {
        out.defaultWriteObject();
        byte[] block = new byte[1 << 20];
        for (int i = 0; i < mebibytes; i++) {
            out.write(block);
        }
    }
}
