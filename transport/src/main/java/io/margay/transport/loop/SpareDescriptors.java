package io.margay.transport.loop;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/// A few descriptors held in reserve: when the system refuses more, they are given up for a moment,
/// so that a client can be turned away and a log line be written (which may have to open files).
/// Confined to one thread.
public final class SpareDescriptors {
    private static final int COUNT = 4;

    /// Not connected; each holds a descriptor.
    private final Deque<SocketChannel> held = new ArrayDeque<>();

    /// Takes as many as can be had.
    public void take() {
        try {
            while (held.size() < COUNT) {
                held.add(SocketChannel.open());
            }
        } catch (IOException e) {
            SteadyLog.log(Level.DEBUG, "fewer spare descriptors: " + e, null);
        }
    }

    /// Gives all up.
    public void giveUp() {
        for (SocketChannel channel = held.poll(); channel != null; channel = held.poll()) {
            try {
                channel.close();
            } catch (IOException e) {
                SteadyLog.log(Level.DEBUG, "closing a spare descriptor failed", e);
            }
        }
    }
}
