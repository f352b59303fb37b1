package io.margay.servlet.test;

import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.ExchangeScheduling;
import io.margay.server.exchange.TlsInfo;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Where the tasks of a [ScriptedExchange] run: one after the other, on a worker.
class ScriptedScheduling extends ScriptedRequest implements ExchangeScheduling {
    private static final ExecutorService WORKERS =
            Executors.newCachedThreadPool(task -> {
                Thread thread = new Thread(task, "scripted-worker");
                thread.setDaemon(true);
                return thread;
            });

    final CountDownLatch over = new CountDownLatch(1);
    boolean ended;
    boolean aborted;
    int dispatches;
    IOException failure;
    private final List<Runnable> endTasks = new ArrayList<>();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean working;

    ScriptedScheduling(RequestHead head, TlsInfo tls) {
        super(head, tls);
    }

    @Override
    public void dispatch(Runnable task) {
        synchronized (this) {
            dispatches++;
            tasks.add(task);
            if (working) {
                return;
            }
            working = true;
        }
        WORKERS.execute(this::work);
    }

    private void work() {
        for (Runnable task = nextTask(); task != null; task = nextTask()) {
            task.run();
        }
    }

    private synchronized Runnable nextTask() {
        Runnable next = tasks.poll();
        working = next != null;
        return next;
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public void abort() {
        synchronized (this) {
            if (ended || aborted) {
                return;
            }
            aborted = true;
            if (failure == null) {
                failure = new IOException("aborted");
            }
        }
        runEndTasks();
    }

    final void runEndTasks() {
        content.close();
        List<Runnable> all;
        synchronized (this) {
            all = List.copyOf(endTasks);
        }
        all.forEach(Runnable::run);
        over.countDown();
    }

    @Override
    public synchronized void onEnd(Runnable task) {
        endTasks.add(task);
    }

    @Override
    public synchronized IOException failure() {
        return failure;
    }
}
