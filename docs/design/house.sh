# The figures of house.md, from the root of a checkout.
echo "main Java, lines:"
git ls-files '*/src/main/java/*.java' | xargs cat | wc -l
echo "the same without comments and blank lines:"
git ls-files '*/src/main/java/*.java' | xargs cat | grep -cvE '^\s*(//.*|/\*.*|\*.*)?$'
echo "configuration, lines:"
cat $(git ls-files 'app/src/main/java/io/margay/app/'{config,migrate,acme,shared}'/*.java') | wc -l
echo "files of each package:"
git ls-files '*/src/main/java/*.java' | grep -v -- -info.java | xargs -n1 dirname | sort | uniq -c | sort -n | tail -5
echo "lines of each file:"
git ls-files '*/src/main/java/*.java' | grep -v -- -info.java | xargs wc -l | sort -n | tail -5
echo "test sources, lines:"
git ls-files '*/src/test/java/*.java' | xargs cat | wc -l
echo "words of docs, of all documents:"
git ls-files 'docs/*.md' | xargs cat | wc -w
git ls-files '*.md' | xargs cat | wc -w
echo "schema and CHANGELOG, lines:"
wc -l CHANGELOG.md docs/reference/margay.schema.json
echo "shell scripts, lines:"
git ls-files bin margay .ci | xargs grep -lE '^#!.*sh' | xargs cat | wc -l
echo "records:"
git ls-files '*/src/main/java/*.java' | xargs grep -hE '\brecord \w+\s*[(<]' | grep -v '^ *//' | wc -l
echo "sealed types:"
git ls-files '*/src/main/java/*.java' | xargs grep -hE '\bsealed (interface|abstract|class)' | wc -l
echo "methods with...:"
git ls-files '*/src/main/java/*.java' | xargs grep -hE '^    (    )?public [A-Z][A-Za-z.]* with[A-Z]\w*\(' | wc -l
