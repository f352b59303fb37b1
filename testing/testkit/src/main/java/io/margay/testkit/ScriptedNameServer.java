package io.margay.testkit;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Header;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// A server of the DNS on a free port of the loopback that says what a test has it say, by UDP and
/// TCP. Thread-safe.
public final class ScriptedNameServer implements AutoCloseable {
    private static final int PACKET_BYTES = 4096;

    private final DatagramSocket udp;
    private final ServerSocket tcp;
    private final List<String> questions = new CopyOnWriteArrayList<>();
    private volatile List<Record> records = List.of();
    private volatile int failure = Rcode.NOERROR;
    private volatile boolean silent;
    private volatile boolean truncates;

    public ScriptedNameServer() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        ServerSocket stream = new ServerSocket(0, 50, loopback);
        DatagramSocket packets;
        try {
            packets = new DatagramSocket(stream.getLocalPort(), loopback);
        } catch (SocketException e) {
            // Another program has the port for UDP: a second one will do.
            stream.close();
            stream = new ServerSocket(0, 50, loopback);
            packets = new DatagramSocket(stream.getLocalPort(), loopback);
        }
        tcp = stream;
        udp = packets;
        Thread.ofVirtual().name("name-server-udp").start(this::answerPackets);
        Thread.ofVirtual().name("name-server-tcp").start(this::answerStreams);
    }

    /// Where it listens.
    public InetSocketAddress address() {
        return new InetSocketAddress(udp.getLocalAddress(), udp.getLocalPort());
    }

    /// Has it know these records alone, each as `NAME TTL TYPE DATA` with names that end in a dot.
    public void zone(String... lines) throws IOException {
        List<Record> read = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" ", 4);
            read.add(
                    Record.fromString(
                            Name.fromString(words[0]),
                            Type.value(words[2]),
                            DClass.IN,
                            Long.parseLong(words[1]),
                            words[3],
                            Name.root));
        }
        records = List.copyOf(read);
        failure = Rcode.NOERROR;
        silent = false;
    }

    /// Has it answer every question with an error, such as `SERVFAIL`.
    public void fail(String code) {
        failure = Rcode.value(code);
    }

    /// Has it answer nothing.
    public void silence() {
        silent = true;
    }

    /// Has it send no records by UDP, but say that there are some.
    public void truncate() {
        truncates = true;
    }

    /// What it was asked, as `NAME TYPE`.
    public List<String> questions() {
        return questions;
    }

    private void answerPackets() {
        byte[] buffer = new byte[PACKET_BYTES];
        while (!udp.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                udp.receive(packet);
                byte[] asked = new byte[packet.getLength()];
                System.arraycopy(buffer, 0, asked, 0, asked.length);
                Message answer = answer(asked, truncates);
                if (!silent) {
                    byte[] bytes = answer.toWire();
                    udp.send(new DatagramPacket(bytes, bytes.length, packet.getSocketAddress()));
                }
            } catch (IOException e) {
                // The test is over, or somebody has sent what is no question.
            }
        }
    }

    private void answerStreams() {
        while (!tcp.isClosed()) {
            try (Socket socket = tcp.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                byte[] asked = new byte[in.readUnsignedShort()];
                in.readFully(asked);
                byte[] bytes = answer(asked, false).toWire();
                out.writeShort(bytes.length);
                out.write(bytes);
                out.flush();
            } catch (IOException e) {
                // As above.
            }
        }
    }

    private Message answer(byte[] bytes, boolean truncated) throws IOException {
        Message asked = new Message(bytes);
        Record question = asked.getQuestion();
        questions.add(question.getName() + " " + Type.string(question.getType()));
        Message answer = new Message();
        Header header = new Header(asked.getHeader().getID());
        header.setFlag(Flags.QR);
        header.setFlag(Flags.RA);
        answer.setHeader(header);
        answer.addRecord(question, Section.QUESTION);
        if (truncated) {
            header.setFlag(Flags.TC);
            return answer;
        }
        if (failure != Rcode.NOERROR) {
            header.setRcode(failure);
            return answer;
        }
        header.setRcode(answer(answer, question.getName(), question.getType()));
        return answer;
    }

    /// Adds what there is of a name, and of those that it is an alias of.
    private int answer(Message to, Name name, int type) {
        boolean known = false;
        for (Record each : records) {
            if (each.getName().equals(name)) {
                known = true;
                if (each.getType() == type) {
                    to.addRecord(each, Section.ANSWER);
                } else if (each instanceof CNAMERecord alias) {
                    to.addRecord(each, Section.ANSWER);
                    return answer(to, alias.getTarget(), type);
                }
            }
        }
        return known ? Rcode.NOERROR : Rcode.NXDOMAIN;
    }

    @Override
    public void close() throws IOException {
        udp.close();
        tcp.close();
    }
}
