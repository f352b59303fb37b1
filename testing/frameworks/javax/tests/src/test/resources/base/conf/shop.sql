create table if not exists users (name varchar(20) primary key, password varchar(100));
create table if not exists roles (name varchar(20), role varchar(20), primary key (name, role));
create table if not exists goods (name varchar(20) primary key, price int);
-- SHA-256 of "tea time"
merge into users values ('eve', '073fb3a77e54cc76b21c271a34e4ee1a214d58c4fb125dd42aa01a0751c0349a');
merge into roles values ('eve', 'buyer');
merge into goods values ('tea', 7);
merge into goods values ('milk', 2);
