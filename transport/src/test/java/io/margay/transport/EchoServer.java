package io.margay.transport;

import io.margay.transport.factory.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// An echo server as a process of its own: `EchoServer TRANSPORT`. Prints its port; ends with its
/// input.
final class EchoServer {
    private EchoServer() {}

    public static void main(String[] args) throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Echo.Record record = new Echo.Record();
        TransportConfig config = TransportConfig.defaults().withLoops(1);
        try (Transport transport = Transports.open(args[0], config);
                Listener listener =
                        transport.listen(ListenerConfig.of(any), c -> new Echo(c, record))) {
            System.out.println(((InetSocketAddress) listener.address()).getPort());
            while (System.in.read() >= 0) {
                System.out.println(record.opened.get());
            }
        }
    }
}
