package io.margay.server.handover;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// One [TravellingState] as bytes: its form, then what its holder writes. Stateless.
public final class StateSection {
    private static final System.Logger LOG = System.getLogger(StateSection.class.getName());

    private StateSection() {}

    /// The bytes of a state.
    ///
    /// @throws IOException when they are too many
    public static byte[] of(TravellingState state, StateLimits limits) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(new Bounded(bytes, limits.sectionBytesMax()));
        out.writeInt(state.form());
        state.write(out);
        out.flush();
        return bytes.toByteArray();
    }

    /// Has a holder take over its state. One that is damaged, or of another form, is ignored, with
    /// a line in the log.
    ///
    /// @param since how long ago it was written
    /// @return whether it was taken over
    public static boolean restore(TravellingState state, byte[] section, Duration since) {
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(section));
            int form = in.readInt();
            if (form != state.form()) {
                throw new IOException("it has the form " + form + ", not " + state.form());
            }
            state.read(in, since);
            return true;
        } catch (IOException | RuntimeException e) {
            LOG.log(
                    Level.WARNING,
                    "the state \"{0}\" of the previous process is ignored: {1}",
                    state.name(),
                    e.getMessage() == null ? e.toString() : e.getMessage());
            return false;
        }
    }

    /// Counts bytes before they are kept.
    private static final class Bounded extends OutputStream {
        private final OutputStream to;
        private long left;

        Bounded(OutputStream to, int most) {
            this.to = to;
            left = most;
        }

        private void take(int count) throws IOException {
            left -= count;
            if (left < 0) {
                throw new IOException("it is too large");
            }
        }

        @Override
        public void write(int one) throws IOException {
            take(1);
            to.write(one);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            take(count);
            to.write(bytes, from, count);
        }
    }
}
