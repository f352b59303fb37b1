package io.margay.lab.hostile;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/// Hostile clients of one kind as a process of its own. Single-threaded, but for [BadRequests].
///
/// It prints `ready` when all that are held are connected, now and then `again N`, the number of
/// those that the server has thrown out and that came again, and `ended WORDS` when it has done
/// what was asked. It ends then, or with its standard input.
public final class HostileClients {
    private static final OutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private HostileClients() {}

    /// @param args the [HostileKind], the port, how many connections or requests, and the path
    public static void main(String[] args) throws IOException, InterruptedException {
        HostileKind kind = HostileKind.valueOf(args[0]);
        InetSocketAddress server =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1]));
        int count = Integer.parseInt(args[2]);
        endWithInput();
        switch (kind) {
            case SLOW_HEAD, SLOW_UPLOAD, SLOW_READER ->
                    new SlowClients(kind, server, args[3]).run(count, HostileClients::say);
            case STORM -> say("ended " + new ConnectionStorm(server, args[3]).run(count));
            case BAD_REQUESTS -> say("ended " + new BadRequests(server, args[3]).run(count));
        }
        System.exit(0);
    }

    private static void say(String words) {
        try {
            OUT.write((words + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void endWithInput() {
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try {
                        while (System.in.read() >= 0) {}
                    } catch (IOException e) {
                        System.exit(1);
                    }
                    System.exit(0);
                });
    }
}
