package io.margay.transport;

import java.io.IOException;

/// A handler of which a test overrides what it is about. Wants input from the start.
class Scripted implements ConnectionHandler {
    private final Connection connection;

    Scripted(Connection connection) {
        this.connection = connection;
        connection.interest(Connection.READ);
    }

    void readable() throws IOException {
        byte[] buffer = new byte[1024];
        if (connection.read(buffer, 0, buffer.length) < 0) {
            connection.close();
        }
    }

    @Override
    public void onReadable() {
        try {
            readable();
        } catch (IOException e) {
            connection.close();
        }
    }

    @Override
    public void onWritable() {}

    @Override
    public void onDeadline() {}

    @Override
    public void onClosed() {}
}
