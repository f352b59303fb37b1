package io.margay.app.sample;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Hashtable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import javax.naming.CommunicationException;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.naming.directory.InitialDirContext;
import javax.net.ssl.SSLSocketFactory;
import javax.sql.DataSource;

/// Takes 0.7 s for a cause that its path names. The parameter `port` is of a server at which it
/// waits, `file` one that it may write.
public final class SeededServlet extends HttpServlet {
    private static final int MILLIS = 700;

    private final Object monitor = new Object();
    private final ReentrantLock lock = new ReentrantLock();
    private final ReentrantReadWriteLock readers = new ReentrantReadWriteLock();

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        response.setContentType("text/plain");
        String seed = request.getPathInfo().substring(1);
        try {
            if (seed.equals("async")) {
                AsyncContext async = request.startAsync();
                Thread.ofVirtual()
                        .start(() -> {
                            sleep();
                            async.complete();
                        });
                return;
            }
            if (request.getParameter("port") != null) {
                elsewhere(seed, Integer.parseInt(request.getParameter("port")));
            } else if (request.getParameter("file") != null) {
                files(seed, Path.of(request.getParameter("file")));
            } else {
                here(seed, request, response);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SocketTimeoutException e) {
            getServletContext().log("as it should: " + e.getMessage());
        } catch (Exception e) {
            throw new ServletException(e);
        }
        response.getWriter().print(seed);
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void here(String seed, HttpServletRequest request, HttpServletResponse response)
            throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS);
        switch (seed) {
            case "quick" -> {}
            case "warm" -> {
                try (Connection connection = source().getConnection();
                        HttpClient client = HttpClient.newHttpClient()) {
                    response.setHeader("Warm", connection + " " + client);
                }
                response.setHeader("Tls", SSLSocketFactory.getDefault().toString());
            }
            case "spin" -> {
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
            }
            case "numbers" -> {
                double sum = 0;
                for (int i = 0; System.nanoTime() < end; i++) {
                    sum += StrictMath.sin(i);
                }
                response.setHeader("Sum", String.valueOf(sum));
            }
            case "collections" -> {
                while (System.nanoTime() < end) {
                    System.gc();
                }
            }
            case "class" -> response.setHeader("Ready", String.valueOf(SlowStart.READY));
            case "statement" -> {
                try (Connection connection = source().getConnection()) {
                    call(connection);
                }
            }
            case "content" -> request.getInputStream().readAllBytes();
            case "client" -> {
                OutputStream out = response.getOutputStream();
                for (int i = 0; i < 48; i++) {
                    out.write(new byte[1 << 18]);
                }
            }
            default -> waits(seed);
        }
    }

    private void waits(String seed) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        switch (seed) {
            case "sleep" -> TimeUnit.MILLISECONDS.sleep(MILLIS);
            case "long" -> TimeUnit.MILLISECONDS.sleep(4 * MILLIS);
            case "monitor" -> blocked();
            case "lock" -> {
                Thread.ofPlatform().name("holder").start(() -> hold(lock, held));
                held.await();
                lock.lock();
                lock.unlock();
            }
            case "readers" -> {
                Thread.ofPlatform().start(() -> hold(readers.writeLock(), held));
                held.await();
                readers.readLock().lock();
                readers.readLock().unlock();
            }
            case "permit" -> {
                boolean _ = new Semaphore(0).tryAcquire(MILLIS, TimeUnit.MILLISECONDS);
            }
            case "latch" -> {
                boolean _ = new CountDownLatch(1).await(MILLIS, TimeUnit.MILLISECONDS);
            }
            case "queue" -> {
                Object _ = new LinkedBlockingQueue<>().poll(MILLIS, TimeUnit.MILLISECONDS);
            }
            case "future" -> CompletableFuture.runAsync(SeededServlet::sleep).join();
            case "notify" -> {
                synchronized (this) {
                    wait(MILLIS);
                }
            }
            case "pool" -> {
                Thread.ofPlatform().start(() -> hold(held));
                held.await();
                source().getConnection().close();
            }
            case "program" ->
                    new ProcessBuilder("sleep", String.valueOf(MILLIS / 1e3)).start().waitFor();
            default -> throw new ServletException("no seed " + seed);
        }
    }

    private void blocked() throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        Thread.ofPlatform()
                .name("holder")
                .start(() -> {
                    synchronized (monitor) {
                        held.countDown();
                        sleep();
                    }
                });
        held.await();
        synchronized (monitor) {
            getServletContext().log("as it should");
        }
    }

    private static void hold(Lock lock, CountDownLatch held) {
        lock.lock();
        try {
            held.countDown();
            sleep();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("BanJNDI") // As applications do.
    private static DataSource source() throws NamingException {
        return (DataSource) new InitialContext().lookup("java:comp/env/jdbc/seed");
    }

    private void hold(CountDownLatch held) {
        Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
        try (Connection _ = source().getConnection()) {
            held.countDown();
            sleep();
        } catch (NamingException | SQLException e) {
            getServletContext().log("no connection", e);
            held.countDown();
        }
    }

    private static void call(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("create alias if not exists nap for 'java.lang.Thread.sleep(long)'");
            statement.execute("call nap(" + MILLIS + ")");
        }
    }

    @SuppressWarnings("BanJNDI") // As applications do.
    private void elsewhere(String seed, int port) throws Exception {
        InetSocketAddress there = new InetSocketAddress("127.0.0.1", port);
        URI url = URI.create("http://127.0.0.1:" + port + "/");
        switch (seed) {
            case "socket" -> {
                try (Socket socket = new Socket()) {
                    socket.connect(there);
                    socket.setSoTimeout(MILLIS);
                    int _ = socket.getInputStream().read();
                }
            }
            case "dns" -> {
                Hashtable<String, String> dns = new Hashtable<>();
                dns.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
                dns.put(Context.PROVIDER_URL, "dns://127.0.0.1:" + port);
                dns.put("com.sun.jndi.dns.timeout.initial", String.valueOf(MILLIS));
                dns.put("com.sun.jndi.dns.timeout.retries", "1");
                try {
                    Object _ = new InitialDirContext(dns).getAttributes("a.test");
                } catch (CommunicationException e) {
                    getServletContext().log("as it should: " + e.getMessage());
                }
            }
            case "handshake" -> {
                try (Socket socket = new Socket()) {
                    socket.connect(there);
                    socket.setSoTimeout(MILLIS);
                    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
                    try (var tls =
                            (javax.net.ssl.SSLSocket)
                                    factory.createSocket(socket, "localhost", port, true)) {
                        tls.startHandshake();
                    }
                }
            }
            case "dial" -> {
                try (Socket socket = new Socket()) {
                    socket.connect(there, MILLIS);
                }
            }
            case "old-http" -> {
                HttpURLConnection http = (HttpURLConnection) url.toURL().openConnection();
                http.setReadTimeout(MILLIS);
                int _ = http.getResponseCode();
            }
            case "http" -> {
                try (HttpClient client = HttpClient.newHttpClient()) {
                    HttpResponse<String> _ =
                            client.send(
                                    HttpRequest.newBuilder(url).build(),
                                    HttpResponse.BodyHandlers.ofString());
                }
            }
            default -> throw new ServletException("no seed " + seed);
        }
    }

    private static void files(String seed, Path path) throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS);
        byte[] bytes = new byte[1 << 22];
        while (System.nanoTime() < end) {
            if (seed.equals("write")) {
                try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                    file.write(bytes);
                    file.getChannel().force(true);
                }
            } else {
                try (FileInputStream in = new FileInputStream("/dev/zero")) {
                    int _ = in.read(bytes);
                }
            }
        }
    }
}
