package io.margay.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A program that opens many kept-alive connections, makes one request on each, says `ready`, and
/// holds them open until its input ends. A process of its own, since each end needs a descriptor.
public final class IdleClients {
    private static final int TIMEOUT_MILLIS = 20_000;

    private IdleClients() {}

    /// @param args port on the loopback, and the number of connections
    public static void main(String[] args) throws IOException {
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        int count = Integer.parseInt(args[1]);
        byte[] request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] answer = new byte[1000];
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket();
            socket.connect(address, TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(request);
            InputStream in = socket.getInputStream();
            if (in.read(answer) < 12 || answer[9] != '2') {
                throw new IOException("no good answer on connection " + i);
            }
            sockets.add(socket);
        }
        System.out.println("ready");
        int _ = System.in.read();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
