package io.margay.frameworks.boot;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/// One way of each kind to be asked and to answer.
@RestController
public class PeopleController {
    private final Executor executor;

    /// @param executor Spring Boot's own
    public PeopleController(@Qualifier("applicationTaskExecutor") Executor executor) {
        this.executor = executor;
    }

    /// What goes over the wire as JSON.
    public record Person(@NotBlank String name, @Min(0) int age) {}

    /// A person, read from the path.
    @GetMapping("/people/{name}")
    public Person person(@PathVariable String name, @RequestParam(defaultValue = "36") int age) {
        return new Person(name, age);
    }

    /// A person, sent as JSON and checked.
    @PostMapping("/people")
    public ResponseEntity<Person> create(@Valid @RequestBody Person person) {
        return ResponseEntity.status(HttpStatus.CREATED).body(person);
    }

    /// Answered by another thread of the application.
    @GetMapping("/callable")
    public Callable<String> callable() {
        return () -> "on " + Thread.currentThread().getName().replaceAll("[0-9].*", "");
    }

    /// Answered later.
    @GetMapping("/deferred")
    public DeferredResult<Person> deferred() {
        DeferredResult<Person> result = new DeferredResult<>(5_000L);
        executor.execute(() -> result.setResult(new Person("Later", 1)));
        return result;
    }

    /// Never answered, so that the time-out is.
    @GetMapping("/timeout")
    public DeferredResult<String> timeout() {
        DeferredResult<String> result = new DeferredResult<>(50L);
        result.onTimeout(() ->
                result.setErrorResult(
                        ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).body("too late")));
        return result;
    }

    /// Three events.
    @GetMapping("/events")
    public SseEmitter events() {
        SseEmitter emitter = new SseEmitter();
        executor.execute(() -> {
            try {
                for (int i = 0; i < 3; i++) {
                    emitter.send(SseEmitter.event().id(String.valueOf(i)).data("tick " + i));
                }
                emitter.complete();
            } catch (IOException e) {
                emitter.completeWithError(e);
            }
        });
        return emitter;
    }

    /// A body written as it goes.
    @GetMapping("/stream")
    public StreamingResponseBody stream() {
        return out -> {
            byte[] line = "0123456789abcdef".repeat(64).getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 1024; i++) {
                out.write(line);
            }
        };
    }

    /// A file of a form.
    @PostMapping("/upload")
    public String upload(@RequestParam MultipartFile file, @RequestParam String note)
            throws IOException {
        return note + " " + file.getOriginalFilename() + " " + file.getBytes().length;
    }

    /// Answered by the error page.
    @GetMapping("/fail")
    public String fail() {
        throw new IllegalStateException("as meant");
    }

    /// Still running while the server stops.
    @GetMapping("/slow")
    public String slow(@RequestParam int millis) throws InterruptedException {
        System.setProperty("margay.frameworks.boot", "slow");
        boolean never = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
        return never ? "never" : "done";
    }
}
