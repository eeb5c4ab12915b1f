#!/bin/busybox sh
# Process 1 of the machine: mounts the files of the host, sets up CAN interfaces, runs the job and powers off.
# Writes stay in memory, except in the shared folder.
#
#   vcan0, vcan1   virtual interfaces, FD, up
#   can0, can1     emulated SJA1000 controllers on one bus, down
busybox=/bin/busybox
$busybox --install -s /bin
export PATH=/bin
trap 'sync; poweroff -f' EXIT

mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
modprobe -a virtio_pci virtio_console 9pnet_virtio 9p overlay
port() {
  for known in /sys/class/virtio-ports/*; do
    [ "$(cat "$known/name")" != "$1" ] || echo "/dev/${known##*/}"
  done
}
attach() { mount -t 9p -o "trans=virtio,version=9p2000.L,msize=512000,cache=loose,$3" "$1" "$2"; }

attach host /host ro || exit
mount -t tmpfs -o size=75% none /memory
mkdir /memory/changes /memory/work
mount -t overlay -o lowerdir=/host,upperdir=/memory/changes,workdir=/memory/work none /guest || exit
for folder in proc sys dev; do mount --bind "/$folder" "/guest/$folder"; done
mkdir /dev/pts /dev/shm
mount -t devpts -o ptmxmode=666 none /guest/dev/pts
mount -t tmpfs none /guest/dev/shm
ln -s /proc/self/fd /dev/fd
ln -s /proc/self/fd/0 /dev/stdin
ln -s /proc/self/fd/1 /dev/stdout
ln -s /proc/self/fd/2 /dev/stderr
modules="/lib/modules/$(uname -r)"
mkdir -p "/guest$modules"
mount --bind "$modules" "/guest$modules"
[ -e /guest/sbin/modprobe ] || cp $busybox /guest/sbin/modprobe
shared="/guest$(cat /run/shared)"
mkdir -p "$shared"
attach shared "$shared" rw || exit

# Frames take no time on the emulated bus. One processor for both controllers receives each before it sends the
# next; with two, the receiver may stall for longer than its few buffers last.
echo 1 > /proc/irq/default_smp_affinity
modprobe -a can-dev can-raw can-bcm can-gw can-isotp can-j1939 vcan vxcan slcan kvaser_pci
guest() { chroot /guest "$@"; }
guest ip link set lo up
for name in vcan0 vcan1; do
  guest ip link add "$name" type vcan
  guest ip link set "$name" mtu 72 up
done

# A pipe, because a port can be opened only once and a job may reopen /dev/stdout.
mkfifo /memory/output
cat /memory/output > "$(port output)" &
reader=$!
cp /run/job /guest/run/job
guest /bin/sh /run/job < /dev/null > /memory/output 2>&1
status=$?
# Processes that the job left may keep the pipe open.
for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 $reader 2> /dev/null && sleep 0.2; done
sync
umount "$shared" || umount -l "$shared"
sync
echo $status > "$(port status)"
