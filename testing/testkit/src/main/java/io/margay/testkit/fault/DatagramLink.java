package io.margay.testkit.fault;

import io.margay.testkit.fault.FaultyLink.Fault;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/// A port of UDP that leads to another one: of datagrams one of ten is lost, answers are lost, all
/// are, or they come late. What would break a connection loses them all. Thread-safe; a virtual
/// thread for each client, and one for each datagram that comes late.
public final class DatagramLink implements Link {
    private static final long DELAY_NANOS = 50_000_000L;
    private static final int LOST_OF = 10;
    private static final int BYTES_MAX = 65_535;

    private final DatagramSocket server;
    private final InetSocketAddress target;
    private final Map<SocketAddress, DatagramSocket> clients = new ConcurrentHashMap<>();
    private volatile Fault fault = Fault.NONE;

    /// Leads to a port of the loopback, which need not be open yet.
    public DatagramLink(int target) throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        this.target = new InetSocketAddress(here, target);
        server = new DatagramSocket(0, here);
        Thread.ofVirtual().start(this::fromClients);
    }

    @Override
    public int port() {
        return server.getLocalPort();
    }

    @Override
    public void set(Fault next) {
        fault = next;
    }

    private void fromClients() {
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(new byte[BYTES_MAX], BYTES_MAX);
                server.receive(packet);
                SocketAddress client = packet.getSocketAddress();
                DatagramSocket to = clients.get(client);
                if (to == null) {
                    to = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                    clients.put(client, to);
                    DatagramSocket answers = to;
                    Thread.ofVirtual().start(() -> fromServer(answers, client));
                }
                pass(packet, to, target, false);
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private void fromServer(DatagramSocket from, SocketAddress client) {
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(new byte[BYTES_MAX], BYTES_MAX);
                from.receive(packet);
                pass(packet, server, client, true);
            }
        } catch (IOException e) {
            clients.remove(client, from);
            from.close();
        }
    }

    private void pass(DatagramPacket packet, DatagramSocket by, SocketAddress to, boolean answer) {
        boolean passes =
                switch (fault) {
                    case NONE, DELAY -> true;
                    case LOSS -> ThreadLocalRandom.current().nextInt(LOST_OF) > 0;
                    case ONE_WAY -> !answer;
                    case STALL, DROP, HALF_OPEN, RESET -> false;
                };
        if (!passes) {
            return;
        }
        packet.setSocketAddress(to);
        if (fault != Fault.DELAY) {
            send(packet, by);
            return;
        }
        Thread.ofVirtual()
                .start(() -> {
                    LockSupport.parkNanos(DELAY_NANOS);
                    send(packet, by);
                });
    }

    private static void send(DatagramPacket packet, DatagramSocket by) {
        try {
            by.send(packet);
        } catch (IOException e) {
            // It is lost.
        }
    }

    @Override
    public void close() {
        server.close();
        clients.values().forEach(DatagramSocket::close);
    }
}
